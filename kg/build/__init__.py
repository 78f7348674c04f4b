"""Texts in, a published data folder out: extraction cached by source, one global pass, dumps and store, a swap.

``kg.build.builder.build`` does it; ``kg.build.folder.DataFolder`` is where the result is found.
"""
