"""A service as any of the programs reports it, so that two reports can be compared."""

from __future__ import annotations

from dataclasses import dataclass

TYPE = "_openclaw._tcp"


@dataclass(frozen=True)
class Service:
    """One instance of TYPE."""

    name: str
    host: str = ""
    """Without the dot at the end."""
    port: int = 0
    addresses: frozenset[str] = frozenset()
    """Without scopes."""
    txt: tuple[tuple[str, str], ...] = ()
    """Sorted, because some programs do not keep the order."""


def txt_of(pairs: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(pairs.items()))


def txt_of_strings(strings: list[str]) -> tuple[tuple[str, str], ...]:
    return txt_of(dict(string.partition("=")[::2] for string in strings))


def without_scope(address: str) -> str:
    return address.partition("%")[0]
