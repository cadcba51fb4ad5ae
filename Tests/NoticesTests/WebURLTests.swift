import GatewayProtocol
import Testing

@testable import Agent

/// The addresses of web servers.
@Suite struct WebURLTests {
    @Test(arguments: [
        ("http://127.0.0.1/x", true), ("http://127.8.9.10:80/", true), ("http://[::1]:8080/", true),
        ("http://localhost/", true), ("http://LOCALHOST/", true), ("http://[::ffff:127.0.0.1]/", true),
        ("http://127.evil.example/", false), ("http://127.0.0.1.example/", false), ("http://127.1/", false),
        ("http://localhost.example/", false), ("http://10.0.0.1/", false), ("http://[::2]/", false),
    ])
    func onlyAnAddressOfThisHostIsThisHost(text: String, isThisHost: Bool) throws {
        #expect(try #require(WebURL(text)).isThisHost == isThisHost)
    }
}
