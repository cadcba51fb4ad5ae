import NIOSSL

/// A certificate such as OpenClaw gateways make: self-signed, CN `openclaw-gateway`, no SAN. Its key protects nothing.
enum TestCertificate {
    /// The SHA-256 of the certificate, as printed by `openssl x509 -outform DER | sha256sum`.
    static let sha256 = "09136ac0c7498c22ef9442be782f24e8a08b9ab31ec1218bbb99a7c2433cf8bb"

    /// The host name in the SAN of the other certificate, which is self-signed as well.
    static let host = "gateway.test"

    /// Returns a TLS context for a server.
    ///
    /// - Parameter named: The certificate that it shows, in PEM; `nil` for the one without a name.
    static func serverContext(named: String? = nil) throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array((named ?? certificate).utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array((named == nil ? key : namedKey).utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(key)
            )
        )
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBjTCCATOgAwIBAgIUdiELcYesj8rgL8j0LaHmxw8hn5MwCgYIKoZIzj0EAwIw
        GzEZMBcGA1UEAwwQb3BlbmNsYXctZ2F0ZXdheTAgFw0yNjExMjEwNzI0MTZaGA8y
        MTI2MTAyODA3MjQxNlowGzEZMBcGA1UEAwwQb3BlbmNsYXctZ2F0ZXdheTBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABIsiGKtkTgH55mtY+XibyxW0GIqpK+VrVcMT
        xG7cwGRI8VlMLr99IRb9OF8S+PmVBXwfJtQGn7eaaytuIIpIx7OjUzBRMB0GA1Ud
        DgQWBBTrNo/n0s3aI8D6FodvJ/XwSSbFQDAfBgNVHSMEGDAWgBTrNo/n0s3aI8D6
        FodvJ/XwSSbFQDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIHPE
        n5hK+MrQVI7QImqVrjvbezk7PnvQogd0Cyy8ToiZAiEAjDLu7sCWZ1fXHRCL6Ovn
        LjYh6PsDQDl1JATxPHfPpRw=
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwo7AZuREjbiKlZoo
        rxC1zjy0KovRg+FNsjTgi15tFKyhRANCAASLIhirZE4B+eZrWPl4m8sVtBiKqSvl
        a1XDE8Ru3MBkSPFZTC6/fSEW/ThfEvj5lQV8HybUBp+3mmsrbiCKSMez
        -----END PRIVATE KEY-----
        """

    /// The certificate for ``host``, which is its own root.
    static let named = """
        -----BEGIN CERTIFICATE-----
        MIIBnTCCAUSgAwIBAgIUSa838gTKBFdHPIqHl6qbEbiQZqYwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMZ2F0ZXdheS50ZXN0MCAXDTI2MTEyMzAwNTY1MFoYDzIxMjYx
        MDMwMDA1NjUwWjAXMRUwEwYDVQQDDAxnYXRld2F5LnRlc3QwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQYyYYR3hZoU0bBEr9xTFU2KI51GMCM82BGsEfYg0VSkZ3L
        fbZz4rAgxBwIHd4ykcO81pdnHsEKGJH/Sf0oqg6/o2wwajAdBgNVHQ4EFgQUuPUY
        7D36+4RMDLwmlAPHR2XwbtwwHwYDVR0jBBgwFoAUuPUY7D36+4RMDLwmlAPHR2Xw
        btwwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxnYXRld2F5LnRlc3QwCgYI
        KoZIzj0EAwIDRwAwRAIgA8rVTz6p+MkBrIqeQ0wgRhj2u6RgSr/BoknCQadzZjsC
        IBx2cZXpqMbGVlOOQlTNRQKzlcU5kNUN2/ZHQLBAMBV0
        -----END CERTIFICATE-----
        """

    private static let namedKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwqAXqeMELINNJwUW
        hJ4aPWCaLzokocMe+//XsCcqh6ShRANCAAQYyYYR3hZoU0bBEr9xTFU2KI51GMCM
        82BGsEfYg0VSkZ3LfbZz4rAgxBwIHd4ykcO81pdnHsEKGJH/Sf0oqg6/
        -----END PRIVATE KEY-----
        """
}
