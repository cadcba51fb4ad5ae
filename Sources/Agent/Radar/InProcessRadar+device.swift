internal import GatewayClient
internal import Pairing
package import Reports

/// The identity of this device.
extension InProcessRadar {
    package func device(name: String? = nil, emoji: String?? = nil) async throws(RadarError) -> DeviceReport {
        if name != nil || emoji != nil {
            try await write { store throws(StoreError) in try store.updateDevice(name: name, emoji: emoji) }
        }
        let (device, pairings) = try await read { store throws(StoreError) in (store.device, try store.pairings()) }
        let id = DeviceDescription.openClawID(of: device.publicKey)
        return DeviceReport(device, openClawID: id, pairings: pairings)
    }
}
