public import GatewayProtocol

/// The version of the JSON that outsiders read: the `schema` of each document.
///
/// Fields may be added under the same number; a key that is there never changes its name, its type or its meaning. What a
/// reader does not know, it skips.
public enum ReportSchema {
    /// The only version there is.
    public static let version = 1
}

/// An object of JSON for readers outside this package: a document of its own, or a part of another.
///
/// Texts in it are exact, unless a field says that it is for people: what comes from the network is not cleaned.
public protocol JSONReport: Sendable {
    /// The values by their keys. A value that is not known is `null`, so that an object always has the same shape; a key is
    /// left out only where its documentation says so.
    var fields: [String: JSONValue] { get }
}

extension JSONReport {
    /// The object as a part of a document.
    public var json: JSONValue { .object(fields) }

    /// The object as a document of its own: one line with sorted keys, its end, and `schema`.
    ///
    /// Each line of a stream has the `schema`, and not its first line alone: lines are filtered, joined and read from the
    /// middle, and a header would be a line of another kind among them.
    public var line: String {
        var fields = fields
        fields["schema"] = .number(JSONNumber(ReportSchema.version))
        return JSONValue.object(fields).line
    }
}

extension JSONValue {
    /// The value as one line, with its end.
    var line: String { String(decoding: encoded, as: UTF8.self) + "\n" }
}
