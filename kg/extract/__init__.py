"""Reading a passage: chains, Quran citations, names, places, times, events (``kg.extract.extractor.Extractor``)."""
