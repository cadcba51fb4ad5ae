#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Bytes from the network in JSON: a string when they are UTF-8, else `{"base64":"…"}`, so that nothing is lost.
struct ByteText: Encodable, Hashable {
    let bytes: [UInt8]

    private enum CodingKeys: String, CodingKey {
        case base64
    }

    func encode(to encoder: any Encoder) throws {
        if let text = String(validating: bytes, as: UTF8.self) {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        } else {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
        }
    }
}
