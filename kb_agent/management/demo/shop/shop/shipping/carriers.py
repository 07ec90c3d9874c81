"""Chooses the carrier of a parcel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Carrier:
    """A delivery company and what it takes."""

    code: str
    heaviest_grams: int
    regions: frozenset[str] | None
    cold_chain: bool
    days: int


CARRIERS = (
    Carrier("swift", 20_000, None, cold_chain=False, days=2),
    Carrier("fresh", 10_000, frozenset({"BJ", "SH", "GD", "ZJ", "JS"}), cold_chain=True, days=1),
    Carrier("post", 30_000, None, cold_chain=False, days=5),
)


class NoCarrier(Exception):
    """No carrier takes such a parcel."""


def choose(grams: int, region: str, *, cold: bool) -> Carrier:
    """The fastest carrier that takes the weight, serves the region and keeps it cold when it has to be. 生鲜必须走冷链。"""
    fitting = [
        carrier
        for carrier in CARRIERS
        if grams <= carrier.heaviest_grams
        and (carrier.regions is None or region in carrier.regions)
        and (carrier.cold_chain or not cold)
    ]
    if not fitting:
        raise NoCarrier(f"{grams} g to {region}")
    return min(fitting, key=lambda carrier: carrier.days)
