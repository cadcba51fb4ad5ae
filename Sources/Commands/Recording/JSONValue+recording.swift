internal import GatewayProtocol

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    /// Bytes, exactly: a string when they are UTF-8, else `{"base64":"…"}`.
    init(recording bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .string(text)
        } else {
            self = .object(["base64": .string(Data(bytes).base64EncodedString())])
        }
    }

    /// The bytes that ``init(recording:)-([UInt8])`` has written; `nil` when it is something else.
    var recordedBytes: [UInt8]? {
        if let text = string { return Array(text.utf8) }
        return self["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    /// A time as seconds and attoseconds, exactly.
    init(recording duration: Duration) {
        let parts = duration.components
        self = .array([.number(JSONNumber(Int(parts.seconds))), .number(JSONNumber(Int(parts.attoseconds)))])
    }

    init(recording number: some BinaryInteger) {
        self = .number(JSONNumber(Int(truncatingIfNeeded: number)))
    }
}
