internal import Crypto
internal import GatewayProtocol

/// The description with which this device introduces itself to gateways, and the closure that signs for it. It holds no
/// private key.
package struct DeviceDescription: Sendable {
    /// The device's identifier in the OptaPlus dialect, a UUID.
    package let id: String

    /// The name of the device for people.
    package let name: String

    /// The platform, such as `linux`. It must not change, since OpenClaw's gateways store it with their approval.
    package let platform: String

    /// The version of the program that runs on the device.
    package let version: String

    /// The 32 bytes of the device's Ed25519 public key.
    package let publicKey: [UInt8]

    /// The device's identifier in OpenClaw's dialect: the SHA-256 of its public key, in lower-case hexadecimal digits.
    package let openClawID: String

    /// Signs a message with the device's key, and returns the 64 bytes of the signature.
    package let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a description. ``openClawID`` is computed from the public key.
    ///
    /// - Parameters:
    ///   - id: The device's identifier in the OptaPlus dialect, a UUID.
    ///   - name: The name of the device for people.
    ///   - platform: The platform, always the same one for this device.
    ///   - version: The version of the program that runs on the device.
    ///   - publicKey: The 32 bytes of the device's Ed25519 public key; the length is not checked.
    ///   - sign: Signs a message with the device's key. An error that it throws ends the attempt to open a session.
    package init(
        id: String,
        name: String,
        platform: String,
        version: String,
        publicKey: [UInt8],
        sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.id = id
        self.name = name
        self.platform = platform
        self.version = version
        self.publicKey = publicKey
        self.openClawID = Self.openClawID(of: publicKey)
        self.sign = sign
    }

    /// Returns the identifier in OpenClaw's dialect of the device with a public key.
    package static func openClawID(of publicKey: [UInt8]) -> String {
        LeafFingerprint(bytes: Array(SHA256.hash(data: publicKey))).map(\.description) ?? ""
    }
}
