"""What each page shows, read out of a description: one module a kind of thing, one function a part of the page."""
