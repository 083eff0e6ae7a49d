"""What goes over the wire: what is asked, what is told, refusals, in which language."""
