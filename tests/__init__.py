"""The tests of Tavola. A package, so that no installed package named `tests` hides it."""
