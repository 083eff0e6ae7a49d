"""What is shown, and to whom: pictures of matches, what changes in them, rule books."""
