"""Silsila: classical Arabic texts in, a published knowledge graph of transmission out."""

__version__ = "0.1.0"
