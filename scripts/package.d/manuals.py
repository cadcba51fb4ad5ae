#!/usr/bin/env python3
"""Manual pages, made from what the tool says of itself: manuals.py VERSION DATE FOLDER <the tool's --experimental-dump-help.

One page for the tool and for each of its verbs, in section 1, and clawradar.yaml(5) from the docs.
"""
import json
import pathlib
import re
import sys


def escaped(text):
    """The text as roff shows it unchanged: no line of it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace('"', "\\(dq")
    text = text.replace("“", "\\(lq").replace("”", "\\(rq").replace("’", "\\(cq").replace("…", "...")
    text = text.replace("–", "\\(en").replace("—", "\\(em").replace("→", "\\(->").replace("~", "\\(ti").replace("^", "\\(ha")
    return re.sub(r"^([.])", r"\\&\1", text, flags=re.M)


def names(argument):
    """How an option is typed: `\\fB--timeout\\fR \\fItime\\fR`."""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR"
    typed = []
    for name in argument.get("names", []):
        dashes = "--" if name["kind"] == "long" else "-"
        typed.append(f"\\fB{escaped(dashes + name['name'])}\\fR")
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    return ", ".join(typed) + value


def synopsis(argument):
    if argument["kind"] == "positional":
        text = names(argument) + (" ..." if argument.get("isRepeating") else "")
    else:
        text = names({**argument, "names": [argument["preferredName"]]})
    return f"[{text}]" if argument.get("isOptional") else text


def body(text):
    """A discussion: its paragraphs; headings in capitals with a colon; what is indented, as it stands."""
    out, block = [], []

    def end_block():
        if block:
            out.extend([".PP", ".nf", ".RS 4", *[escaped(line) for line in block], ".RE", ".fi"])
            block.clear()

    for line in text.split("\n"):
        heading = re.fullmatch(r"([A-Z][A-Z ]+):", line)
        status = re.match(r"Exit status: (.*)", line)
        if heading or status:
            end_block()
            out.append(f".SH \"{heading.group(1) if heading else 'EXIT STATUS'}\"")
            out += [escaped(status.group(1)[0].upper() + status.group(1)[1:])] if status else []
        elif line.startswith("  "):
            block.append(line[2:])
        elif line.strip():
            end_block()
            out += [".PP", escaped(line)]
    end_block()
    return out


def page(command, path, version, date):
    """The lines of a command's page."""
    title = "-".join(path)
    out = [f".TH \"{title.upper()}\" \"1\" \"{date}\" \"clawradar {version}\" \"User Commands\"", ".SH NAME"]
    out.append(f"{escaped(title)} \\- {escaped(command['abstract'].rstrip('.'))}")
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay")]
    out += [".SH SYNOPSIS", f".B {escaped(' '.join(path))}"]
    verbs = [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True) and c["commandName"] != "help"]
    if verbs and command.get("defaultSubcommand") is None:
        out.append("\\fIverb\\fR [\\fIoptions\\fR]" if len(path) == 1 else "\\fIverb\\fR")
    out += [synopsis(a) for a in arguments if a.get("preferredName", {}).get("name") not in ("help", "version")]
    out.append(".SH DESCRIPTION")
    # The examples and the statuses of the discussion are sections of their own.
    out += body(command.get("discussion") or command["abstract"])
    if verbs:
        out.append(".SH VERBS")
        for verb in verbs:
            out += [".TP", f"\\fB{escaped('-'.join(path + [verb['commandName']]))}\\fR(1)", escaped(verb["abstract"])]
    if arguments:
        out.append(".SH OPTIONS")
        for argument in arguments:
            out += [".TP", names(argument), escaped(argument.get("abstract") or "")]
            if argument.get("discussion"):
                out.append(escaped(argument["discussion"].replace("\n", " ")))
            values, default = argument.get("allValues"), argument.get("defaultValue")
            if values:
                out.append(f"One of: {escaped(', '.join(values))}.")
            if default and argument["kind"] != "flag":
                out.append(f"Default: {escaped(default)}.")
    out.append(".SH SEE ALSO")
    see = ["\\fBclawradar\\fR(1)"] if len(path) > 1 else []
    out.append(", ".join(see + ["\\fBclawradar.yaml\\fR(5)"]))
    return out


def markdown(text):
    """A part of the docs in roff: headings, paragraphs, listings and tables."""
    out, rows, code = [], [], None

    def inline(line):
        line = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line)
        parts = re.split(r"(`[^`]+`)", line)
        return "".join(f"\\fB{escaped(p[1:-1])}\\fR" if p.startswith("`") and len(p) > 2 else escaped(p) for p in parts)

    def end_table():
        for cells in rows:
            out.extend([".TP", inline(cells[0]), inline("  ".join(c for c in cells[1:] if c))])
        rows.clear()

    for line in text.split("\n"):
        if line.startswith("```"):
            if code is None:
                end_table()
                code = []
            else:
                out.extend([".PP", ".nf", ".RS 4", *[escaped(c) for c in code], ".RE", ".fi"])
                code = None
        elif code is not None:
            code.append(line)
        elif line.startswith("|"):
            cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            if not all(re.fullmatch(r":?-*:?", c) for c in cells):
                rows.append(cells)
            elif rows:
                rows.clear()
        else:
            end_table()
            heading = re.match(r"#+ (.*)", line)
            if heading:
                out.append(f".SH \"{escaped(heading.group(1).upper())}\"")
            elif line.strip():
                out.append(inline(line))
            else:
                out.append(".PP")
    end_table()
    return out


def section(path, heading):
    """The text under a heading of a document, up to the next of its level."""
    text = pathlib.Path(path).read_text()
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"manuals.py: {path} has no heading “{heading}”")
    return found.group(1).strip()


def settings_page(version, date):
    return [
        f".TH \"CLAWRADAR.YAML\" \"5\" \"{date}\" \"clawradar {version}\" \"File Formats\"",
        ".SH NAME", "clawradar.yaml \\- the settings of clawradar",
        ".SH SYNOPSIS", ".I $XDG_CONFIG_HOME/clawradar/config.yaml", ".br", ".I \\(ti/.config/clawradar/config.yaml",
        ".br", ".I /etc/clawradar/config.yaml", ".SH DESCRIPTION", *markdown(section("docs/agent.md", "Configuration")),
        ".SH \"KEYS OF NOTIFY\"", *markdown(section("docs/be-told.md", "Keys")),
        ".SH SEE ALSO", "\\fBclawradar\\fR(1), \\fBclawradar\\-config\\fR(1)",
    ]


def main(version, date, folder):
    folder = pathlib.Path(folder)
    root = json.load(sys.stdin)["command"]

    def write(name, number, lines):
        lines = [line for line in lines if line]
        # A paragraph that begins with a section, another paragraph, a list or the end is none.
        following = [*lines[1:], ".SH"]
        lines = [line for line, after in zip(lines, following) if line != ".PP" or after[:3] not in (".SH", ".PP", ".TP")]
        lines = [line for before, line in zip(["", *lines], lines) if line != ".PP" or before[:3] != ".SH"]
        target = folder / f"man{number}"
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{name}.{number}").write_text("\n".join(lines) + "\n")

    def walk(command, path):
        write("-".join(path), 1, page(command, path, version, date))
        for verb in command.get("subcommands", []):
            if verb.get("shouldDisplay", True) and verb["commandName"] != "help":
                walk(verb, path + [verb["commandName"]])

    walk(root, [root["commandName"]])
    write("clawradar.yaml", 5, settings_page(version, date))


main(*sys.argv[1:])
