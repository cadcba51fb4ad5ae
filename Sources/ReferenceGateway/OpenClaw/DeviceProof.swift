internal import Crypto
internal import DNSSD
internal import FoundationEssentials
internal import GatewayProtocol

/// The proof that a client of an OpenClaw gateway holds the key of the device that it claims to be.
enum DeviceProof {
    /// The beginning of an Ed25519 key in DER (RFC 8410 §4); the 32 bytes follow.
    private static let derPrefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]

    /// Checks identifier, time, nonce and signature, in this order.
    ///
    /// - Parameters:
    ///   - params: The parameters of `connect`.
    ///   - device: The proof in them.
    ///   - nonce: The nonce of the challenge.
    ///   - isLoopback: Whether the client is on this host.
    ///   - date: The time since 1970 in milliseconds.
    /// - Returns: The 32 bytes of the key.
    static func check(
        _ params: ConnectParams,
        _ device: ConnectParams.Device,
        nonce: String,
        era: OpenClawEra,
        isLoopback: Bool,
        date: Int
    ) throws(ConnectRefusal) -> [UInt8] {
        guard let bytes = publicKey(device.publicKey), identifier(of: bytes) == device.id else {
            throw .proof("DEVICE_ID_MISMATCH", "device identity mismatch", "device-id-mismatch")
        }
        // The difference could overflow, since the peer chooses the time.
        let (distance, isFar) = date.subtractingReportingOverflow(device.signedAt)
        guard !isFar, distance.magnitude <= UInt(era.signatureTolerance) else {
            throw .proof("SIGNATURE_EXPIRED", "device signature expired", "device-signature-stale")
        }
        let isNonceOptional = era == .january2026 && isLoopback
        guard device.nonce != nil || isNonceOptional else {
            throw .proof("NONCE_REQUIRED", "device nonce required", "device-nonce-missing")
        }
        guard device.nonce == nil || device.nonce == nonce else {
            throw .proof("NONCE_MISMATCH", "device nonce mismatch", "device-nonce-mismatch")
        }
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
            throw .proof("PUBLIC_KEY_INVALID", "device public key invalid", "device-public-key")
        }
        let signature = base64(device.signature) ?? []
        guard texts(params, device, era).contains(where: { key.isValidSignature(signature, for: $0) }) else {
            throw .proof("SIGNATURE_INVALID", "device signature invalid", "device-signature")
        }
        return bytes
    }

    /// Returns the identifier of a device with this key.
    static func identifier(of publicKey: [UInt8]) -> String {
        SHA256.hash(data: publicKey).hexadecimal
    }

    /// Returns the texts of which one must have been signed.
    private static func texts(
        _ params: ConnectParams,
        _ device: ConnectParams.Device,
        _ era: OpenClawEra
    ) -> [[UInt8]] {
        let signed = OpenClawSignature(
            deviceID: device.id,
            clientID: params.clientID,
            clientMode: params.clientMode,
            role: params.role,
            scopes: params.scopes,
            signedAt: device.signedAt,
            token: params.signedToken,
            nonce: device.nonce ?? "",
            platform: params.platform,
            deviceFamily: params.deviceFamily
        )
        switch era {
        case .april2026, .july2026, .august2026: return [signed.text(.v3), signed.text(.v2)]
        case .january2026 where device.nonce != nil: return [signed.text(.v2)]
        case .january2026:
            // The first version is the second without its last field, which is empty here, and the bar before it.
            return [Array("v1".utf8) + signed.text(.v2).dropFirst(2).dropLast()]
        }
    }

    /// Returns the 32 bytes of a key, which may be given in base64 of either alphabet or in PEM.
    private static func publicKey(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 1_024 else { return nil }
        guard text.contains("BEGIN") else { return base64(text).flatMap { $0.count == 32 ? $0 : nil } }
        let body = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
        guard let der = base64(body), der.count == 44, der.starts(with: derPrefix) else { return nil }
        return Array(der.suffix(32))
    }

    /// Decodes base64 of either alphabet, padded or not.
    private static func base64(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 1_024 else { return nil }
        let letters = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed().map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return Base64.url.decode(String(decoding: letters, as: UTF8.self))
    }
}
