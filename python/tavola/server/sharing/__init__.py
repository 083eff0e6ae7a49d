"""Sharing: pictures, animations and pages of games, link previews and the widget."""
