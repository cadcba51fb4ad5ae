internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol

/// The options for the content of a gateway's TXT record.
struct GatewayOptions: ParsableArguments {
    /// The keys that must be given by an option of their own, with that option.
    private static let options = ["fp": "--fp", "name": "--name", "bots": "--bots", "ver": "--ver"]

    @Option(
        name: .customLong("fp"),
        help: ArgumentHelp("The gateway's fingerprint, 1 to 128 bytes.", valueName: "fingerprint"),
        transform: { text in
            guard let fingerprint = GatewayFingerprint(text) else {
                throw ArgumentProblem("A fingerprint has 1 to \(GatewayFingerprint.maximumLength) bytes.")
            }
            return fingerprint
        }
    )
    var fingerprint: GatewayFingerprint?

    @Option(help: ArgumentHelp("The number of its bots.", valueName: "count"))
    var bots: Int?

    @Option(help: ArgumentHelp("The version of its protocol.", valueName: "number"))
    var ver: Int?

    @Option(
        help: ArgumentHelp("Another TXT entry; can be repeated.", valueName: "key=value"),
        transform: { try TXTPair($0) }
    )
    var txt: [TXTPair] = []

    func validate() throws {
        for (name, number, limit) in [("--bots", bots, 9_999), ("--ver", ver, 999_999_999)] {
            guard let number, !(0...limit).contains(number) else { continue }
            throw ValidationError("\(name) is a whole number from 0 to \(limit); found \(number).")
        }
        // The name is not known yet, but the rest of the record can be checked.
        _ = try record(name: nil)
    }

    /// Returns the TXT record: `fp`, `name`, `bots` and `ver`, followed by the other entries in their order.
    func record(name: String?) throws -> TXTRecord {
        do {
            var record = try GatewayAdvertisement.txtRecord(
                fingerprint: fingerprint,
                name: name,
                bots: bots,
                version: ver
            )
            try add(to: &record)
            // Encoding checks the length of the whole record.
            _ = try record.encoded()
            return record
        } catch let error as DNSSDError {
            throw ValidationError(error.message)
        }
    }

    /// The given options for values that a gateway can report itself.
    var claims: [String] {
        [("--fp", fingerprint != nil), ("--bots", bots != nil), ("--ver", ver != nil)].filter(\.1).map(\.0)
    }

    /// Returns a TXT record with only the other entries, for a gateway that reports its values itself.
    func additions() throws -> TXTRecord {
        do {
            var record = TXTRecord()
            try add(to: &record)
            return record
        } catch let error as DNSSDError {
            throw ValidationError(error.message)
        }
    }

    private func add(to record: inout TXTRecord) throws {
        for pair in txt {
            if let option = Self.options[pair.key.lowercased()] {
                throw ValidationError("Give \(pair.key) by \(option), not by --txt.")
            }
            guard record.value(forKey: pair.key) == nil else {
                throw ValidationError("A TXT key stands once; --txt \(pair.key) was given twice. Remove one.")
            }
            try record.set(pair.value.map { Array($0.utf8) }, forKey: pair.key)
        }
    }
}

/// One more entry of a TXT record, as given on the command line: `key=value`, or `key` for a key without a value.
struct TXTPair: Hashable, Sendable {
    let key: String
    let value: String?

    /// Parses the text that was typed. The key itself is checked when it is added to the record.
    init(_ text: String) throws(ArgumentProblem) {
        guard let separator = text.firstIndex(of: "=") else {
            guard !text.isEmpty else { throw ArgumentProblem("A TXT entry looks like key=value.") }
            self.key = text
            self.value = nil
            return
        }
        guard separator != text.startIndex else {
            throw ArgumentProblem("A TXT entry looks like key=value; the key is missing.")
        }
        self.key = String(text[..<separator])
        self.value = String(text[text.index(after: separator)...])
    }
}
