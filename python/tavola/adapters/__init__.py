"""Tavola's games in other frameworks: PettingZoo, Gymnasium and OpenSpiel.

Each module needs the package of its name, which an extra of Tavola installs:
`pip install "tavola[pettingzoo]"`. docs/how-to/use-with-other-frameworks.md shows their use.
"""
