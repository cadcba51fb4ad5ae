internal import DNSSD

/// A TXT record in JSON: an object; a key without a value has `null`.
struct TXTOutput: Encodable, Hashable {
    let record: TXTRecord

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for entry in record.entries {
            try container.encode(entry.value.map { ByteText(bytes: $0) }, forKey: Key(stringValue: entry.key))
        }
    }
}
