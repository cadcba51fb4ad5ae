"""The part of PostgREST that is modelled: reading, inserting, updating and deleting rows of one table at a time.

After PostgREST 13: ApiRequest.hs, Query/, Response.hs, Error.hs. A project of Supabase has db-max-rows = 1000.
"""

import json
import re

import psycopg
from psycopg import sql

from common import Answer, unmodelled

MAX_ROWS = 1000
OPERATORS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
RESERVED = {"select", "order", "limit", "offset", "on_conflict", "columns", "or", "and", "not.or", "not.and", "apikey"}


def error(status, code, message, details=None, hint=None, headers=None):
    return Answer(status, {"code": code, "details": details, "hint": hint, "message": message}, headers)


def status_of(state, is_user):
    """Error.hs, pgErrorStatus."""
    exact = {"23503": 409, "23505": 409, "25006": 405, "42883": 404, "42P01": 404, "42P17": 500, "53400": 500,
             "57P01": 503, "P0001": 400, "42501": 403 if is_user else 401}
    classes = {"08": 503, "0L": 403, "0P": 403, "28": 403, "53": 503, "09": 500, "25": 500, "2D": 500, "38": 500,
               "39": 500, "3B": 500, "40": 500, "54": 500, "55": 500, "57": 500, "58": 500, "F0": 500, "HV": 500,
               "P0": 500, "XX": 500}
    return exact.get(state) or classes.get(state[:2], 400)


class Filters:
    """The parser of the conditions in a query: `paired_at=lt.T`, `or=(a.lt.1,and(a.eq.1,b.lt.2))`."""

    def __init__(self, columns, table):
        self.columns = columns
        self.table = table
        self.values = []

    def condition(self, column, text):
        if column not in self.columns:
            raise error(400, "42703", f"column {self.table}.{column} does not exist")
        negated = text.startswith("not.")
        operator, dot, value = text.removeprefix("not.").partition(".")
        name = sql.Identifier(self.table, column)
        if not dot:
            raise self.malformed(text)
        if operator in OPERATORS:
            self.values.append(value)
            part = sql.SQL("{} " + OPERATORS[operator] + " %s").format(name)
        elif operator == "like":
            self.values.append(value.replace("*", "%"))
            part = sql.SQL("{} LIKE %s").format(name)
        elif operator == "is" and value in ("null", "true", "false"):
            part = sql.SQL("{} IS " + value.upper()).format(name)
        elif operator == "in" and value.startswith("(") and value.endswith(")"):
            items = [self.unquoted(item) for item in self.split(value[1:-1])]
            self.values.append(items)
            kind = sql.SQL(self.columns[column])
            part = sql.SQL("{} = ANY(%s::{}[])").format(name, kind)
        else:
            raise unmodelled(f"the operator {operator}")
        return sql.SQL("NOT ({})").format(part) if negated else part

    def logic(self, key, text):
        """`or` and `and` with their list, which may hold further ones."""
        if not (text.startswith("(") and text.endswith(")")):
            raise self.malformed(text)
        parts = []
        for item in self.split(text[1:-1]):
            nested = re.match(r"^((?:not\.)?(?:and|or))(\(.*\))$", item, re.S)
            if nested:
                parts.append(self.logic(nested[1], nested[2]))
                continue
            column, dot, rest = item.partition(".")
            if not dot:
                raise self.malformed(item)
            operator, _, value = rest.partition(".")
            parts.append(self.condition(column, f"{operator}.{value if operator == 'in' else self.unquoted(value)}"))
        joined = sql.SQL(" OR " if key.endswith("or") else " AND ").join(parts)
        return sql.SQL("NOT ({})" if key.startswith("not.") else "({})").format(joined)

    def split(self, text):
        """Splits at the commas that are neither in quotes nor in parentheses."""
        parts, depth, quoted, current, escaped = [], 0, False, "", False
        for letter in text:
            if escaped:
                escaped = False
            elif quoted and letter == "\\":
                escaped = True
            elif letter == '"':
                quoted = not quoted
            elif not quoted and letter in "()":
                depth += 1 if letter == "(" else -1
            elif not quoted and not depth and letter == ",":
                parts.append(current)
                current = ""
                continue
            current += letter
        if quoted or depth:
            raise self.malformed(text)
        return parts + [current]

    @staticmethod
    def unquoted(text):
        if len(text) > 1 and text.startswith('"') and text.endswith('"'):
            return re.sub(r"\\(.)", r"\1", text[1:-1])
        return text

    @staticmethod
    def malformed(text):
        return error(400, "PGRST100", f'"failed to parse logic tree or filter ({text})"')


class Rest:
    def __init__(self, database, gate):
        self.database = database
        self.gate = gate

    def handle(self, method, table, query, headers, body):
        role, claims = self.gate.role(headers)
        for name in ("Range", "Prefer-Profile"):
            if name in headers:
                raise unmodelled(f"the header {name}")
        if headers.get("Accept", "*/*").split(";")[0].split(",")[0].strip() not in ("*/*", "application/json"):
            raise unmodelled("other formats than JSON")
        profile = headers.get("Accept-Profile" if method == "GET" else "Content-Profile")
        if profile not in (None, "public"):
            raise error(406, "PGRST106", f"Invalid schema: {profile}", hint="Only the following schemas are exposed: public")
        try:
            with self.database.transaction() as connection:
                connection.execute("SELECT set_config('search_path', 'public', true), set_config('role', %s, true), "
                                   "set_config('request.jwt.claims', %s, true)", (role, json.dumps(claims)))
                return self.answer(connection, method, table, query, headers, body, profile)
        except psycopg.Error as failure:
            if failure.sqlstate is None:
                raise error(503, "PGRST000", "Database connection error. Retrying the connection.")
            diagnosis = failure.diag
            raise error(status_of(failure.sqlstate, role != "anon"), failure.sqlstate, diagnosis.message_primary,
                        diagnosis.message_detail, diagnosis.message_hint)

    def answer(self, connection, method, table, query, headers, body, profile):
        columns = dict(connection.execute(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid "
            "WHERE relname = %s AND relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 "
            "AND NOT attisdropped ORDER BY attnum", (table,)).fetchall())
        if not columns:
            raise error(404, "PGRST205", f"Could not find the table 'public.{table}' in the schema cache")
        preferences = self.preferences(headers)
        single = {key: value for key, value in query if key in RESERVED}
        filters = Filters(columns, table)
        target = sql.Identifier("public", table)
        if method == "POST":
            statement, values = self.insertion(target, columns, single, preferences, body)
        elif method == "PATCH":
            statement, values = self.update(target, columns, single, body)
        elif method == "DELETE":
            statement, values = sql.SQL("DELETE FROM {}").format(target), []
        elif method == "GET":
            statement, values = None, []
        else:
            raise unmodelled(f"{method} for rows")
        conditions = [] if method == "POST" else [
            filters.logic(key, value) if key in ("or", "and", "not.or", "not.and") else filters.condition(key, value)
            for key, value in query if key not in ("select", "order", "limit", "offset", "columns", "apikey")]
        where = sql.SQL(" WHERE {}").format(sql.SQL(" AND ").join(conditions)) if conditions else sql.SQL("")
        shown = self.selection(single.get("select", "*"), columns, table)
        answer_headers = {"Content-Profile": profile} if profile else {}
        if method == "GET":
            limit, offset = self.number(single, "limit", MAX_ROWS), self.number(single, "offset", 0)
            statement = sql.SQL("SELECT {} FROM {}{}{} LIMIT {} OFFSET {}").format(
                shown, target, where, self.order(single.get("order"), columns, table),
                sql.Literal(min(limit, MAX_ROWS)), sql.Literal(offset))
            text, count = self.rows(connection, statement, filters.values)
            span = f"{offset}-{offset + count - 1}/*" if count else "*/*"
            return Answer(200, text, {**answer_headers, "Content-Type": "application/json; charset=utf-8", "Content-Range": span})
        if statement is None:  # An update of no column.
            return Answer(204, None, {**answer_headers, "Content-Range": "*/*"})
        statement += where
        applied = {"resolution": preferences.get("resolution") if method == "POST" else None,
                   "return": preferences.get("return")}
        applied = ", ".join(f"{key}={value}" for key, value in applied.items() if value)
        if applied:
            answer_headers["Preference-Applied"] = applied
        represented = preferences.get("return") == "representation"
        if represented:
            text, count = self.rows(connection, statement + sql.SQL(" RETURNING {}").format(shown), values + filters.values)
            answer_headers["Content-Type"] = "application/json; charset=utf-8"
        else:
            text, count = None, connection.execute(statement, values + filters.values).rowcount
        if method == "PATCH":
            answer_headers["Content-Range"] = f"0-{count - 1}/*" if count else "*/*"
        else:
            answer_headers["Content-Range"] = "*/*"
        if method != "POST":
            return Answer(200 if represented else 204, text, answer_headers)
        updated = int(connection.execute("SELECT coalesce(nullif(current_setting('cloud.updated', true), ''), '0')").fetchone()[0])
        # Response.hs: only an upsert that merges tells that nothing was inserted.
        merged = preferences.get("resolution") == "merge-duplicates" and count - updated <= 0
        return Answer(200 if merged else 201, text, answer_headers)

    @staticmethod
    def preferences(headers):
        result = {}
        for text in headers.get_all("Prefer") or []:
            for item in text.split(","):
                key, _, value = item.strip().partition("=")
                if (key, value) not in {("return", "minimal"), ("return", "representation"), ("resolution", "merge-duplicates"),
                                        ("resolution", "ignore-duplicates")}:
                    raise unmodelled(f"the preference {item.strip()}")
                result.setdefault(key, value)
        return result

    @staticmethod
    def number(single, key, default):
        text = single.get(key, str(default))
        if not text.isdecimal():
            raise Filters.malformed(text)
        return int(text)

    @staticmethod
    def selection(text, columns, table):
        names = list(columns) if text == "*" else [name.strip() for name in text.split(",")]
        for name in names:
            if not re.fullmatch(r"\w+", name):
                raise unmodelled(f"select={text}")
            if name not in columns:
                raise error(400, "42703", f"column {table}.{name} does not exist")
        return sql.SQL(", ").join(sql.Identifier(table, name) for name in names)

    @staticmethod
    def order(text, columns, table):
        parts = []
        for item in text.split(",") if text else []:
            name, *rest = item.split(".")
            if name not in columns:
                raise error(400, "42703", f"column {table}.{name} does not exist")
            if rest not in ([], ["asc"], ["desc"]):
                raise unmodelled(f"order={item}")
            parts.append(sql.SQL("{} " + (rest[0] if rest else "asc").upper()).format(sql.Identifier(table, name)))
        return sql.SQL(" ORDER BY {}").format(sql.SQL(", ").join(parts)) if parts else sql.SQL("")

    @staticmethod
    def rows(connection, statement, values):
        """The rows of a statement as JSON, made by the database."""
        text = sql.SQL("WITH source AS ({}) SELECT coalesce(json_agg(source), '[]')::text, count(*) FROM source").format(statement)
        return connection.execute(text, values).fetchone()

    @staticmethod
    def payload(body, single, columns, table_text):
        try:
            content = json.loads(body)
        except ValueError:
            raise error(400, "PGRST102", "Empty or invalid json")
        rows = content if isinstance(content, list) else [content]
        if not all(isinstance(row, dict) for row in rows):
            raise error(400, "PGRST102", "Empty or invalid json")
        if "columns" in single:
            names = [name.strip().strip('"') for name in single["columns"].split(",")]
        else:
            names = list(rows[0]) if rows else []
            if any(set(row) != set(names) for row in rows):
                raise error(400, "PGRST102", "All object keys must match")
        for name in names:
            if name not in columns:
                raise error(400, "PGRST204", f"Could not find the '{name}' column of '{table_text}' in the schema cache")
        return content, names

    @staticmethod
    def lists(names, columns):
        listed = sql.SQL(", ").join(map(sql.Identifier, names))
        typed = sql.SQL(", ").join(sql.SQL("{} " + columns[name]).format(sql.Identifier(name)) for name in names)
        return listed, typed

    def insertion(self, target, columns, single, preferences, body):
        content, names = self.payload(body, single, columns, target.as_string(None).split('"')[-2])
        content = content if isinstance(content, list) else [content]
        if not names:
            raise unmodelled("an insertion of nothing")
        listed, typed = self.lists(names, columns)
        statement = sql.SQL("INSERT INTO {}({}) SELECT {} FROM json_to_recordset(%s) AS body({})").format(target, listed, listed, typed)
        resolution = preferences.get("resolution")
        keys = [key.strip().strip('"') for key in single.get("on_conflict", "id").split(",")]
        for key in keys:
            if key not in columns:
                raise error(400, "42703", f'column "{key}" does not exist')
        conflict = sql.SQL(", ").join(map(sql.Identifier, keys))
        if resolution == "ignore-duplicates":
            statement += sql.SQL(" ON CONFLICT ({}) DO NOTHING").format(conflict)
        elif resolution == "merge-duplicates":
            changes = sql.SQL(", ").join(sql.SQL("{0} = EXCLUDED.{0}").format(sql.Identifier(name)) for name in names)
            count = "set_config('cloud.updated', (coalesce(nullif(current_setting('cloud.updated', true), ''), '0')::int + 1)::text, true)"
            statement += sql.SQL(" ON CONFLICT ({}) DO UPDATE SET {} WHERE " + count + " <> ''").format(conflict, changes)
        return statement, [json.dumps(content)]

    def update(self, target, columns, single, body):
        content, names = self.payload(body, single, columns, target.as_string(None).split('"')[-2])
        if isinstance(content, list):
            raise unmodelled("an update by a list")
        if not names:
            return None, []
        listed, typed = self.lists(names, columns)
        changes = sql.SQL(", ").join(sql.SQL("{0} = body.{0}").format(sql.Identifier(name)) for name in names)
        return sql.SQL("UPDATE {} SET {} FROM (SELECT {} FROM json_to_record(%s) AS body({})) body").format(
            target, changes, listed, typed), [json.dumps(content)]
