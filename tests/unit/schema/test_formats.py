import pytest
from dsh_tools.schema.formats import FORMATS


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_of_a_format_has_it_and_can_stand_in_a_hint(name: str) -> None:
    example = FORMATS[name].example
    assert FORMATS[name].fits(example)
    assert not set("();") & set(example)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", ["", " ", "x" * 100_000, "1" * 100_000, "\ud800", "٣", "\n"])
def test_what_is_nothing_like_it_has_no_format(name: str, text: str) -> None:
    assert not FORMATS[name].fits(text)
    assert not FORMATS[name].fits(FORMATS[name].example + "\n")


@pytest.mark.parametrize(
    ("name", "text", "fits"),
    [
        ("date", "2024-02-29", True),
        ("date", "1900-02-29", False),
        ("date", "2024-2-9", False),
        ("time", "23:59:60Z", True),
        ("time", "01:29:60+01:30", True),
        ("time", "22:59:60Z", False),
        ("time", "10:00:00", False),
        ("date-time", "2026-01-31t10:00:00.5z", True),
        ("date-time", "2026-01-31 10:00:00Z", False),
        ("uuid", "123E4567-E89B-12D3-A456-426614174000", True),
        ("uuid", "{123e4567-e89b-12d3-a456-426614174000}", False),
        ("email", '"a b"@example.org', True),
        ("email", "a@[192.0.2.1]", True),
        ("email", "a@[IPv6:::1]", True),
        ("email", "a@-b.example", False),
        ("uri", "urn:isbn:0451450523", True),
        ("uri", "http://[::1]:80/a%20b", True),
        ("uri", "http://a/%zz", False),
        ("uri", "//example.org/a", False),
        ("ipv4", "192.0.2.01", False),
        ("ipv4", "1.2.3.4.5", False),
        ("ipv6", "::ffff:192.0.2.1", True),
        ("ipv6", "1::2::3", False),
        ("ipv6", "1:2:3:4:5:6:7", False),
    ],
)
def test_formats(name: str, text: str, fits: bool) -> None:
    assert FORMATS[name].fits(text) is fits
