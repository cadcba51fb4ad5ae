import Foundation
package import GatewayProtocol

/// A table with the requests that PostgREST understands, as its documentation says: filters on columns, `or` and `and` of them,
/// `select`, `order`, `limit`, and inserts that ignore duplicates where that is asked for. Each user has their own rows (row level
/// security). What is not modelled is answered with 501, so that nothing leans on it.
///
/// Comparisons are those of SQL: nothing but `is.null` holds of NULL.
package struct CloudTable {
    package var rows: [[String: JSONValue]] = []

    /// The time of the last statement, in microseconds since 1970.
    package var time = 1_000_000_000_000_000

    /// The columns whose values no two rows have in common.
    private static let key = ["user_id", "bot_id", "gateway_fingerprint"]

    package init() {}

    /// Returns the status and the body of the answer to a request whose target begins with the table.
    ///
    /// - Parameter headers: The header fields, by their names.
    package mutating func answer(
        _ method: String,
        _ target: String,
        _ headers: [String: String],
        _ body: JSONValue?
    ) -> (status: Int, json: JSONValue) {
        guard headers["apikey"] != nil else { return (401, .object(["message": "No API key found in request"])) }
        guard let query = Query(target) else { return (501, .object(["message": "a query that is not modelled"])) }
        switch (method, body) {
        case ("GET", nil):
            let own = rows.filter { $0["user_id"] == .string(CloudSessions.user) }
            return (200, .array(query.selection(of: own).map { .object($0) }))
        case ("POST", .array(let new)?) where query.conflict == Self.key.joined(separator: ","):
            guard new.allSatisfy({ $0["user_id"]?.string == CloudSessions.user }) else {
                return (403, .object(["code": "42501", "message": "new row violates row-level security policy"]))
            }
            guard headers["Prefer"]?.contains("resolution=ignore-duplicates") == true else {
                return (409, .object(["code": "23505", "message": "duplicate key value violates unique constraint"]))
            }
            let inserted = new.compactMap { insert($0) }.compactMap(\.object)
            return (201, .array(query.columns(of: inserted).map { .object($0) }))
        case ("PATCH", .object(let changes)?):
            update(changes, where: query)
            return (204, .array([]))
        default: return (501, .object(["message": "a request that is not modelled"]))
        }
    }

    /// Inserts a row; returns it unless there is one with its key.
    private mutating func insert(_ row: JSONValue) -> JSONValue? {
        guard let fields = row.object, !rows.contains(where: { row in Self.key.allSatisfy { row[$0] == fields[$0] } })
        else { return nil }
        var stored = written(fields)
        stored["id"] = .string("id-\(time)")
        rows.append(stored)
        return row
    }

    private mutating func update(_ changes: [String: JSONValue], where query: Query) {
        for index in rows.indices where query.selects(rows[index]) {
            rows[index].merge(written(changes)) { $1 }
        }
    }

    /// The fields with the time in place of “now”.
    private mutating func written(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        time += 1
        let now = Date(timeIntervalSince1970: Double(time / 1_000_000)).formatted(.iso8601).dropLast()
        let fraction = String(1_000_000 + time % 1_000_000).dropFirst()
        return fields.mapValues { $0 == "now" ? .string("\(now).\(fraction)+00:00") : $0 }
    }
}

/// The query of a request.
private struct Query {
    /// A condition on a row.
    indirect enum Condition {
        case all([Condition])
        case any([Condition])
        case compare(column: String, operation: String, value: String)
    }

    /// The columns that are asked for; `nil` for all.
    private var columns: Set<String>?
    private var conditions: [Condition] = []
    private var order: [(column: String, isAscending: Bool)] = []
    private var limit: Int?
    private(set) var conflict: String?

    init?(_ target: String) {
        for item in target.split(separator: "?").last?.split(separator: "&") ?? [] {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = parts[1].removingPercentEncoding else { return nil }
            switch parts[0] {
            case "select": columns = Set(value.split(separator: ",").map(String.init))
            case "on_conflict": conflict = value
            case "limit": limit = Int(value)
            case "order":
                for column in value.split(separator: ",") {
                    let words = column.split(separator: ".")
                    order.append((String(words[0]), words.last != "desc"))
                }
            case "or", "and":
                var rest = Substring("\(parts[0])\(value)")
                guard let condition = Self.condition(&rest), rest.isEmpty else { return nil }
                conditions.append(condition)
            default:
                guard let dot = value.firstIndex(of: ".") else { return nil }
                let operand = String(value[value.index(after: dot)...])
                conditions.append(
                    .compare(column: String(parts[0]), operation: String(value[..<dot]), value: operand)
                )
            }
        }
    }

    /// Reads one condition as it stands within parentheses, where a value in quotation marks may have commas and parentheses.
    private static func condition(_ text: inout Substring) -> Condition? {
        for word in ["or", "and"] where text.hasPrefix("\(word)(") {
            text = text.dropFirst(word.count)
            var inner: [Condition] = []
            repeat {
                text = text.dropFirst()
                guard let condition = condition(&text) else { return nil }
                inner.append(condition)
            } while text.first == ","
            guard text.first == ")" else { return nil }
            text = text.dropFirst()
            return word == "or" ? .any(inner) : .all(inner)
        }
        let words = text.split(separator: ".", maxSplits: 2)
        guard words.count == 3 else { return nil }
        var value = words[2]
        if value.first == "\"" {
            value = value.dropFirst().prefix { $0 != "\"" }
            text = text[value.endIndex...].dropFirst()
        } else {
            value = value.prefix { $0 != "," && $0 != ")" }
            text = text[value.endIndex...]
        }
        return .compare(column: String(words[0]), operation: String(words[1]), value: String(value))
    }

    func selects(_ row: [String: JSONValue]) -> Bool { Self.holds(.all(conditions), row) }

    func selection(of rows: [[String: JSONValue]]) -> [[String: JSONValue]] {
        let selected = rows.filter(selects).sorted { one, other in
            for (column, isAscending) in order {
                let (left, right) = (Self.operand(one[column]) ?? "", Self.operand(other[column]) ?? "")
                if left != right { return (left < right) == isAscending }
            }
            return false
        }
        return columns(of: Array(selected.prefix(limit ?? selected.count)))
    }

    /// Returns the columns of rows that are asked for.
    func columns(of rows: [[String: JSONValue]]) -> [[String: JSONValue]] {
        guard let columns else { return rows }
        return rows.map { row in row.filter { columns.contains($0.key) } }
    }

    private static func holds(_ condition: Condition, _ row: [String: JSONValue]) -> Bool {
        switch condition {
        case .all(let conditions): conditions.allSatisfy { holds($0, row) }
        case .any(let conditions): conditions.contains { holds($0, row) }
        case .compare(let column, let operation, let value): holds(operation, row[column], value)
        }
    }

    private static func holds(_ operation: String, _ field: JSONValue?, _ value: String) -> Bool {
        if operation == "is" {
            return switch value {
            case "null": field == nil || field == .null
            case "true": field == true
            case "false": field == false
            default: false
            }
        }
        guard let field = operand(field) else { return false }
        let value = instant(value)
        return switch operation {
        case "eq": field == value
        case "lt": field < value
        case "gt": field > value
        case "gte": field >= value
        case "like": value.last == "*" && field.hasPrefix(value.dropLast())
        default: false
        }
    }

    private static func operand(_ field: JSONValue?) -> String? { field?.string.map(instant) }

    /// A time in UTC in the form in which texts have the order of times; any other text as it is.
    private static func instant(_ text: String) -> String {
        let form = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00:00)/
        guard let time = text.wholeMatch(of: form) else { return text }
        return "\(time.1).\((time.2 ?? "").padding(toLength: 6, withPad: "0", startingAt: 0))"
    }
}
