"""gunicorn -c deploy/gunicorn.conf.py serve:app"""

import os

bind = os.environ.get("SILSILA_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("SILSILA_PROCESSES", os.cpu_count() or 2))
threads = 4
worker_class = "gthread"
timeout = 90  # longer than the longest query the limits allow
graceful_timeout = 30
keepalive = 5
max_requests = 50_000
max_requests_jitter = 5_000
limit_request_line = 8190
limit_request_fields = 60
accesslog = "-"


def child_exit(server, worker):
    """The figures of a process that has ended are no longer of the living (PROMETHEUS_MULTIPROC_DIR, docs/scaling.md)."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)
