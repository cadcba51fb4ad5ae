package import GatewayProtocol
package import PairingStore

/// A device that waits at a gateway for its approval. All of its texts are the device's own.
package struct DeviceRequestReport: JSONReport {
    private let request: DeviceRequest
    private let pairing: StoredPairing
    private let lacking: [String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - pairing: The pairing with the gateway at which it waits.
    ///   - lacking: The scopes without which this device cannot approve it.
    package init(_ request: DeviceRequest, at pairing: StoredPairing, lacking: [String]) {
        self.request = request
        self.pairing = pairing
        self.lacking = lacking
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(request.id),
            "name": JSONValue(request.name),
            "deviceID": JSONValue(request.deviceID),
            "platform": JSONValue(request.platform),
            "address": JSONValue(request.address),
            "roles": JSONValue(request.roles),
            "scopes": JSONValue(request.scopes),
            "requestedAt": JSONValue(request.time.map { Timestamp(milliseconds: $0).description }),
            "lacking": JSONValue(lacking),
            "pairing": .string(pairing.id.description),
            "gatewayName": .string(pairing.name),
        ]
    }
}
