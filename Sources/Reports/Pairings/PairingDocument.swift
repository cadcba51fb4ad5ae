package import GatewayProtocol
package import Pairing

/// One pairing, as a document.
package struct PairingDocument: JSONReport, Hashable {
    private let pairing: JSONValue

    /// The state of the withdrawal at the gateway; `nil` if the pairing has not ended.
    package let withdrawal: WithdrawalReport?

    /// Creates the document of one pairing.
    ///
    /// - Parameters:
    ///   - pairing: The pairing.
    ///   - withdrawal: The state of the withdrawal at the gateway; `nil` if the pairing has not ended.
    package init(_ pairing: PairingReport, withdrawal: WithdrawalReport? = nil) {
        self.pairing = pairing.json
        self.withdrawal = withdrawal
    }

    /// Reads the document of a pairing, whose report stays as it was written.
    ///
    /// - Parameter id: The pairing that it has to be about.
    package init(_ document: JSONValue, of id: PairingID) throws(RecordingProblem) {
        let fields = try RecordedFields(document, of: "the document")
        guard let pairing = fields["pairing"], pairing["id"] == .string(id.description) else {
            throw fields.problem(at: "pairing", expected: "the one that was named")
        }
        self.pairing = pairing
        withdrawal = fields["withdrawn"] == nil ? nil : try WithdrawalReport(fields)
    }

    package var fields: [String: JSONValue] {
        var fields = ["pairing": pairing]
        if let withdrawal { fields.merge(withdrawal.fields) { $1 } }
        return fields
    }
}

/// All pairings, as a document.
package struct PairingListReport: JSONReport {
    private let pairings: [PairingReport]

    /// Creates the document of the pairings, in this order.
    package init(_ pairings: [PairingReport]) {
        self.pairings = pairings
    }

    package var fields: [String: JSONValue] { ["pairings": .array(pairings.map(\.json))] }
}

/// The bin of ended pairings, as a document.
package struct BinReport: JSONReport {
    private let items: [BinnedPairing]

    /// Creates the document of what is in the bin, in this order.
    package init(_ items: [BinnedPairing]) {
        self.items = items
    }

    package var fields: [String: JSONValue] { ["bin": .array(items.map { BinnedPairingReport($0).json })] }
}

/// A pairing in the bin, or the part of a live pairing whose credentials are in the bin.
package struct BinnedPairingReport: JSONReport {
    private let item: BinnedPairing

    /// Creates the report of a pairing in the bin, without secrets.
    package init(_ item: BinnedPairing) {
        self.item = item
    }

    package var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "pairing": PairingReport(item.pairing).json,
            "isWhole": .bool(item.isWhole),
            "withdrawn": .null,
            "word": .null,
            "command": .null,
            "binnedAt": .string(Timestamp(milliseconds: item.time).description),
            "keptUntil": .string(Timestamp(milliseconds: item.time + BinnedPairing.retention).description),
        ]
        switch item.reason {
        case .unpaired(let withdrawnThere):
            fields["reason"] = "unpaired"
            fields["withdrawn"] = .bool(withdrawnThere)
            if !withdrawnThere { fields["command"] = JSONValue(item.pairing.removingCommand) }
        case .revoked(let word):
            fields["reason"] = "revoked"
            fields["word"] = .string(word)
        case .forgotten:
            fields["reason"] = "forgotten"
        }
        return fields
    }
}

/// The identity of this device.
package struct DeviceReport: ReadableReport, Hashable {
    package let id: String
    package let name: String
    package let emoji: String?
    package let platform: String
    package let openClawID: String
    package var lastActive: Timestamp?

    /// Creates the report of the identity of this device, without its keys.
    ///
    /// - Parameters:
    ///   - device: The identity.
    ///   - openClawID: The identifier of this device in OpenClaw's dialect.
    ///   - pairings: Its pairings, whose sessions say when it was last active.
    package init(_ device: DeviceIdentity, openClawID: String, pairings: [StoredPairing] = []) {
        id = device.id
        name = device.name
        emoji = device.emoji
        platform = device.platform
        self.openClawID = openClawID
        lastActive = pairings.compactMap(\.lastConnected).max().map { Timestamp(milliseconds: $0) }
    }

    /// Reads the report from the document of this device.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let fields = try RecordedFields(document["device"], of: "the device")
        id = try fields.value("id")
        name = try fields.value("name")
        emoji = try fields.optional("emoji")
        platform = try fields.value("platform")
        openClawID = try fields.value("openClawID")
        let time: String? = try fields.optional("lastActive")
        lastActive = time.flatMap { Timestamp($0) }
        if time != nil, lastActive == nil { throw fields.problem(at: "lastActive", expected: "a time") }
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(id),
            "name": .string(name),
            "emoji": JSONValue(emoji),
            "platform": .string(platform),
            "openClawID": .string(openClawID),
            "lastActive": JSONValue(lastActive?.description),
        ]
    }
}

/// The identity of this device, as a document.
package struct DeviceDocument: JSONReport {
    private let device: DeviceReport

    /// Creates the document of the identity of this device.
    package init(_ device: DeviceReport) {
        self.device = device
    }

    package var fields: [String: JSONValue] { ["device": device.json] }
}
