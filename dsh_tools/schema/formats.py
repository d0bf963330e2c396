"""The formats that a spec checks: RFC 3339 for dates and times, RFC 4122 for UUIDs, RFC 5321 for
email addresses, RFC 3986 for URIs, and the text forms of IP addresses (RFC 2673, RFC 4291).

Each check looks at every character a bounded number of times.
"""

from collections.abc import Callable, Mapping
from re import ASCII, compile as pattern
from typing import Final, NamedTuple


class Format(NamedTuple):
    """A format by its name in JSON Schema.

    fits: whether a text has it.
    words: what a text must be, "a date".
    example: one that has it.
    """

    fits: Callable[[str], bool]
    words: str
    example: str


# --- dates and times ----------------------------------------------------------------------

_DATE: Final = pattern(r"(\d{4})-(\d\d)-(\d\d)", ASCII)
_TIME: Final = pattern(r"(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))", ASCII)
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MINUTES_OF_A_DAY: Final = 24 * 60


def _is_date(text: str) -> bool:
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + (month == 2 and is_leap)


def _is_time(text: str) -> bool:
    """A leap second (RFC 3339, appendix D) is one before midnight in UTC."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    hour, minute, second = (int(match[group]) for group in (1, 2, 3))
    offset_hour, offset_minute = int(match[5] or 0), int(match[6] or 0)
    if hour > 23 or minute > 59 or offset_hour > 23 or offset_minute > 59:
        return False
    offset = (offset_hour * 60 + offset_minute) * (-1 if match[4] == "-" else 1)
    in_utc = (hour * 60 + minute - offset) % _MINUTES_OF_A_DAY
    return second < 60 or second == 60 and in_utc == _MINUTES_OF_A_DAY - 1


def _is_date_time(text: str) -> bool:
    return text[10:11] in ("T", "t") and _is_date(text[:10]) and _is_time(text[11:])


# --- identifiers --------------------------------------------------------------------------

_UUID: Final = pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


# --- email addresses ----------------------------------------------------------------------

_ATOMS: Final = pattern(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*", ASCII)
_QUOTED: Final = pattern(r'"(?:[ !#-\[\]-~]|\\[ -~])*"')
_LABEL: Final = pattern(r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?")


def _is_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or len(local) > 64 or len(domain) > 255:
        return False
    if _ATOMS.fullmatch(local) is None and _QUOTED.fullmatch(local) is None:
        return False
    if domain.startswith("[") and domain.endswith("]"):
        address = domain[1:-1]
        is_ipv6 = address[:5].lower() == "ipv6:"
        return _is_ipv6(address[5:]) if is_ipv6 else _is_ipv4(address)
    return all(len(label) < 64 and _LABEL.fullmatch(label) for label in domain.split("."))


# --- internet addresses -------------------------------------------------------------------

_BYTE: Final = pattern(r"0|[1-9][0-9]{0,2}")
_GROUP: Final = pattern(r"[0-9a-fA-F]{1,4}")


def _is_ipv4(text: str) -> bool:
    parts = text.split(".", 4)
    return len(parts) == 4 and all(_BYTE.fullmatch(part) and int(part) < 256 for part in parts)


def _is_ipv6(text: str) -> bool:
    if len(text) > 45:
        return False
    head, gap, tail = text.partition("::")
    if gap and "::" in tail:
        return False
    groups = [*(head.split(":") if head else []), *(tail.split(":") if tail else [])]
    number = len(groups)
    if groups and "." in groups[-1] and (tail or not gap):
        if not _is_ipv4(groups.pop()):
            return False
        number += 1
    is_whole = number <= 7 if gap else number == 8
    return is_whole and all(map(_GROUP.fullmatch, groups))


# --- URIs ---------------------------------------------------------------------------------

_SCHEME: Final = pattern(r"[a-zA-Z][a-zA-Z0-9+.-]*")
_REST: Final = pattern(r"(?:[a-zA-Z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-fA-F]{2})*")
_USER: Final = pattern(r"(?:[a-zA-Z0-9._~!$&'()*+,;=:-]|%[0-9a-fA-F]{2})*")
_NAME: Final = pattern(r"(?:[a-zA-Z0-9._~!$&'()*+,;=-]|%[0-9a-fA-F]{2})*")
_FUTURE: Final = pattern(r"[vV][0-9a-fA-F]+\.[a-zA-Z0-9._~!$&'()*+,;=:-]+")


def _is_uri(text: str) -> bool:
    scheme, colon, rest = text.partition(":")
    if not colon or _SCHEME.fullmatch(scheme) is None:
        return False
    rest, _, fragment = rest.partition("#")
    rest, _, query = rest.partition("?")
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        if not _is_authority(authority):
            return False
        rest = slash + path
    return all(map(_REST.fullmatch, (rest, query, fragment)))


def _is_authority(text: str) -> bool:
    """A host with a user before and a port behind it, where there are any (RFC 3986, 3.2)."""
    user, _, host = text.rpartition("@")
    if _USER.fullmatch(user) is None:
        return False
    if host.startswith("["):
        address, bracket, port = host[1:].partition("]")
        if not bracket or not (_is_ipv6(address) or _FUTURE.fullmatch(address)):
            return False
        return port == "" or port[0] == ":" and _is_port(port[1:])
    name, _, port = host.partition(":")
    return _NAME.fullmatch(name) is not None and _is_port(port)


def _is_port(text: str) -> bool:
    return text == "" or text.isascii() and text.isdecimal()


FORMATS: Final[Mapping[str, Format]] = {
    "date": Format(_is_date, "a date", "2026-01-31"),
    "time": Format(_is_time, "a time", "10:30:00Z"),
    "date-time": Format(_is_date_time, "a date and time", "2026-01-31T10:30:00Z"),
    "uuid": Format(_is_uuid, "a UUID", "123e4567-e89b-12d3-a456-426614174000"),
    "email": Format(_is_email, "an email address", "name@example.org"),
    "uri": Format(_is_uri, "a URI", "https://example.org/path"),
    "ipv4": Format(_is_ipv4, "an IPv4 address", "192.0.2.1"),
    "ipv6": Format(_is_ipv6, "an IPv6 address", "2001:db8::1"),
}
