package import DNSSD
package import GatewayProtocol
internal import Reports

/// The gateway that answers at a place without having to prove who it is: what tells it from another one that has its address
/// by now. A value.
///
/// Whoever takes over the address itself, together with the hardware address, and repeats the answers is not told from it: only
/// a certificate can do that.
package struct Occupant: Hashable, Sendable {
    /// A difference between two gateways at one place.
    package enum Difference: Hashable, Sendable {
        /// Another dialect, another fingerprint, or no certificate where the former showed one.
        case gateway
        /// Another machine, as this host's kernel knows it.
        case machine
    }

    /// The place, as text.
    private let place: String

    /// The dialect that it speaks, and the fingerprint that it tells, in hexadecimal digits.
    private let dialect: String
    private let fingerprint: String?

    /// Indicates whether it shows a certificate.
    private let hasTLS: Bool

    /// The certificate, in hexadecimal digits. The same one is a proof; it may be renewed at any time, so that another one says
    /// nothing.
    private let leaf: String?

    /// The hardware address of its machine, in hexadecimal digits; `nil` if it is not on this network, or not known.
    private var machine: String?

    /// - Parameters:
    ///   - identity: What it answers.
    ///   - place: The place.
    ///   - machine: The hardware address of its machine; `nil` if that is not known.
    package init(_ identity: GatewayIdentity, at place: Endpoint, machine: [UInt8]?) {
        self.place = place.description
        dialect = identity.dialect.rawValue
        fingerprint = identity.fingerprint?.bytes.hexadecimal
        hasTLS = identity.leaf != nil
        leaf = identity.leaf?.description
        self.machine = machine?.hexadecimal
    }

    /// Reads what ``json`` has written; `nil` for anything else.
    package init?(_ json: JSONValue) {
        guard let place = json["place"]?.string, let dialect = json["dialect"]?.string,
            let hasTLS = json["hasTLS"]?.bool
        else { return nil }
        self.place = place
        self.dialect = dialect
        self.hasTLS = hasTLS
        leaf = json["leaf"]?.string
        fingerprint = json["fingerprint"]?.string
        machine = json["machine"]?.string
    }

    package var json: JSONValue {
        .object([
            "place": .string(place),
            "dialect": .string(dialect),
            "fingerprint": JSONValue(fingerprint),
            "hasTLS": .bool(hasTLS),
            "leaf": JSONValue(leaf),
            "machine": JSONValue(machine),
        ])
    }

    /// Returns in what another one differs; `nil` if it may be the same.
    package func difference(from other: Occupant) -> Difference? {
        let isToldApart = fingerprint != nil && fingerprint != other.fingerprint
        if dialect != other.dialect || isToldApart || hasTLS && !other.hasTLS { return .gateway }
        if leaf != nil, leaf == other.leaf { return nil }
        if isBoundToMachine(at: other), let machine, let theirs = other.machine, machine != theirs { return .machine }
        return nil
    }

    /// Indicates whether another one is the same, by its certificate, or by its machine at the same place: at another port, that
    /// may have another gateway.
    package func isProved(by other: Occupant) -> Bool {
        guard difference(from: other) == nil else { return false }
        return leaf != nil && leaf == other.leaf
            || place == other.place && machine != nil && machine == other.machine
    }

    /// Returns the same as it answers now, with the machine that was known before if it is not known now.
    package func renewed(as other: Occupant) -> Occupant {
        var new = other
        if isBoundToMachine(at: other) { new.machine = other.machine ?? machine }
        return new
    }

    /// Indicates whether it is another gateway where another one answers, if that has another machine. One with a certificate may
    /// move to another address; anybody can have a record lead to theirs, and without a certificate nothing else tells them apart.
    private func isBoundToMachine(at other: Occupant) -> Bool { place == other.place || !hasTLS }
}
