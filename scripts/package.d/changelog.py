#!/usr/bin/env python3
"""The changelog of the package, made from the release notes: changelog.py VERSION MAINTAINER DATE <CHANGELOG.md.

The entry of VERSION must be there, with a day or as Unreleased, which is dated DATE (RFC 5322) then.
"""
import datetime
import email.utils
import re
import sys


def entries(text):
    """The versions with their days and their lines, in the order of the file."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        found = re.fullmatch(r"\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?", heading.strip())
        if not found:
            sys.exit(f"changelog.py: “{heading}” is no version")
        yield found.group(1), found.group(2), re.split(r"^\[[^\]]+\]: ", body, flags=re.M)[0]


def items(body):
    """The points of a version: each is a paragraph that begins with a dash, under a heading that says its kind."""
    kind, point = "", []
    for line in [*body.split("\n"), ""]:
        if point and (not line.strip() or line.startswith(("- ", "#"))):
            yield kind, " ".join(point)
            point = []
        if line.startswith("### "):
            kind = line[4:].strip()
        elif line.startswith("- "):
            point = [line[2:].strip()]
        elif point and line.strip():
            point.append(line.strip())


def wrapped(text, first, width=78):
    lines, line = [], first
    for word in text.split():
        if len(line) + 1 + len(word) > width and line.strip() not in ("*", ""):
            lines.append(line)
            line = "   "
        line += " " + word
    return [*lines, line]


def main(version, maintainer, date):
    out, seen = [], False
    for name, day, body in entries(sys.stdin.read()):
        if name == "Unreleased":
            # The version comes in the place of what is not released yet.
            if seen or not list(items(body)):
                continue
            name = version
        when = date
        if day:
            noon = datetime.datetime.fromisoformat(f"{day}T12:00:00+00:00")
            when = email.utils.format_datetime(noon)
        seen = seen or name == version
        out += [f"clawradar ({name}) unstable; urgency=medium", ""]
        for kind, text in items(body):
            out += wrapped(f"{kind}: {re.sub(r'[`*]', '', text)}" if kind else text, "  *")
        out += ["", f" -- {maintainer}  {when}", ""]
    if not seen:
        sys.exit(f"changelog.py: CHANGELOG.md has no entry for {version}")
    print("\n".join(out).rstrip("\n"))


main(*sys.argv[1:])
