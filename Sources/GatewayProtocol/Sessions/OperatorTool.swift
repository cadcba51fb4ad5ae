extension SessionRefusal {
    /// A program with which the operator of a gateway approves, rejects and removes devices. A gateway can claim any of
    /// them: the choice decides only which command is shown.
    package enum OperatorTool: String, Hashable, Sendable, CaseIterable {
        /// OpenClaw, whose answers have codes since February 2026.
        case openClaw
        /// Clawdbot, whose answers name the request and nothing else.
        case clawdbot
        /// The reference gateway of this package, which says so.
        case clawradar

        /// The member of the details by which the reference gateway says what it is, and its value.
        package static let claim = (name: "implementation", value: "clawradar")

        init(_ details: JSONValue?) {
            if details?[Self.claim.name]?.string == Self.claim.value {
                self = .clawradar
            } else if details?["requestId"] != nil, details?["code"] == nil {
                self = .clawdbot
            } else {
                self = .openClaw
            }
        }

        /// Returns the command that approves or rejects a request, to be typed on the gateway's host.
        func command(_ verb: String, request: String) -> String {
            switch self {
            case .openClaw: "openclaw devices \(verb) \(request)"
            case .clawdbot: "clawdbot devices \(verb) \(request)"
            case .clawradar: "reference-gateway \(verb) \(request)"
            }
        }

        /// Returns the command that removes a device, to be typed on the gateway's host. Clawdbot can only revoke the
        /// token of a role (`clawdbot devices`, its command line reference).
        ///
        /// - Parameter device: The identifier of the device, as it is told to the gateway.
        package func removingCommand(device: String) -> String {
            switch self {
            case .openClaw: "openclaw devices remove \(device)"
            case .clawdbot: "clawdbot devices revoke --device \(device) --role operator"
            case .clawradar: "reference-gateway revoke \(device) --forget"
            }
        }
    }
}
