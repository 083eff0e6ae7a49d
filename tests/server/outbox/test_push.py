"""Web Push: the example of RFC 8291, and keys."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric import ec

from tavola.server.outbox.push import decode, encode, encrypt
from tests.server.outbox.receivers import Browser


def test_the_example_of_rfc_8291() -> None:
    key = ec.derive_private_key(
        int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"),
        ec.SECP256R1(),
    )
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        decode(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ),
        decode("BTBZMqHH6r4Tts7J_aSIgg"),
        key=key,
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_browser_decrypts_what_was_encrypted_for_it() -> None:
    browser = Browser()
    bodies = [encrypt(b"hello", browser.public, decode(browser.keys["auth"])) for _ in range(2)]
    assert bodies[0] != bodies[1]
    assert [browser.decrypt(body) for body in bodies] == [b"hello", b"hello"]
