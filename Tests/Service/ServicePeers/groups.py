"""The groups of RFC 5054 by the names of the service, as PyPI's packages take them.

The primes come from those packages (`srptools.constants`), not from this project."""

import srptools.constants as constants

# name: (bytes, prime as hex digits, generator as hex digits)
GROUPS = {
    "rfc5054-2048": (256, constants.PRIME_2048, constants.PRIME_2048_GEN),
    "rfc5054-3072": (384, constants.PRIME_3072, constants.PRIME_3072_GEN),
    "rfc5054-4096": (512, constants.PRIME_4096, constants.PRIME_4096_GEN),
}
DEFAULT = "rfc5054-3072"


def width(group):
    """How many bytes a public value of the group has."""
    return GROUPS[group][0]


def prime(group):
    """The group's N."""
    return int(GROUPS[group][1], 16)
