import pytest

from tavola.language import negotiate


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("JA-jp", "ja"),
        ("de", "en"),
        ("de, ja", "ja"),
        ("en, ja", "en"),
        ("en;q=0.5, ja;q=0.7", "ja"),
        ("ja;q=0.5, en;q=0.7", "en"),
        ("ja;q=0", "en"),
        ("ja;q=nan", "en"),
        ("ja;q=inf", "en"),
        ("ja;q=x", "en"),
        ("ja;q=", "en"),
        (";;;,,,q=1", "en"),
        ("japanese", "en"),
        ("x" * 100_000 + ",ja", "en"),
    ],
)
def test_the_readers_language(accepted: str, language: str) -> None:
    assert negotiate(accepted) == language
