import GatewayClient

extension DeviceDescription {
    /// A device with a signature that a test can predict.
    static let kitchen = DeviceDescription(
        id: "2b6f3c1e-0000-4000-8000-000000000000",
        name: "Kitchen",
        platform: "linux",
        version: "1",
        publicKey: Array(repeating: 7, count: 32),
        sign: { message in Array(message.prefix(2)) }
    )
}
