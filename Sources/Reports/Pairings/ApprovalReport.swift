package import GatewayProtocol
internal import Scanning

/// A device that begins to wait for an approval, or waits no more, as a line of a stream.
package struct ApprovalReport: JSONReport {
    private let change: ApprovalFeed.Change
    private let time: Timestamp

    package init(_ change: ApprovalFeed.Change, at time: Timestamp) {
        self.change = change
        self.time = time
    }

    package var fields: [String: JSONValue] {
        let (state, approval) =
            switch change {
            case .waits(let approval): ("waits", approval)
            case .over(let approval): ("over", approval)
            }
        return [
            "kind": "approval",
            "event": "approval",
            "time": .string(time.description),
            "state": .string(state),
            "pairing": .string(approval.session.pairing),
            "gatewayName": .string(approval.session.name),
            "gateway": .string(approval.session.gateway),
            "request": .object(approval.request.reportFields),
            "command": state == "waits" ? .string(approval.request.command) : .null,
        ]
        .with(.name)
    }
}
