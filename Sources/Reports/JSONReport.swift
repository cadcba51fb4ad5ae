package import GatewayProtocol

/// The version of the JSON that other programs read: the `schema` of each document.
///
/// Fields may be added under the same number, but an existing key never changes its name, its type or its meaning. A
/// reader must skip keys that it does not know.
package enum ReportSchema {
    /// The version that is written. What version 1 called otherwise stands beside it.
    package static let version = 2
}

/// A JSON object for readers outside this package: a document of its own, or a part of another.
///
/// Texts from the network are exact and not cleaned, except in fields that are documented as being for people.
package protocol JSONReport: Sendable {
    /// The values by their keys. An unknown value is `null`, so that an object always has the same shape; a key is left
    /// out only where its documentation says so.
    var fields: [String: JSONValue] { get }
}

/// A report that can be read again, as an agent answers it.
package protocol ReadableReport: JSONReport {
    init(_ document: JSONValue) throws(RecordingProblem)
}

extension JSONReport {
    /// The object as a part of a document.
    package var json: JSONValue { .object(fields) }

    /// The object as a document of its own: one line with sorted keys, `schema`, and a line feed at its end.
    ///
    /// Every line of a stream has the `schema`, because readers filter and join lines or begin in the middle, and
    /// because a header would be a line of another kind.
    package var line: String {
        var fields = fields
        fields["schema"] = .number(JSONNumber(ReportSchema.version))
        return JSONValue.object(fields).line
    }
}

extension JSONValue {
    /// The value as one line, with a line feed at its end.
    var line: String { String(decoding: encoded, as: UTF8.self) + "\n" }
}
