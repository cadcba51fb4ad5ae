import Testing

@testable import ReferenceGateway

/// The secrets in a received message, which are logged for tests with an impostor.
@Suite struct ReceivedSecretTests {
    @Test(arguments: [
        (
            #"{"type":"req","params":{"auth":{"token":"a","password":"b"}}}"#,
            ["params.auth.password b", "params.auth.token a"]
        ),
        (#"{"params":{"deviceId":"d","pairingToken":"p"}}"#, ["params.pairingToken p"]),
        (#"{"type":"Hello","token":"t"}"#, ["token t"]),
        (#"[{"deviceToken":"x"},{"bootstrapToken":"y"}]"#, ["deviceToken x", "bootstrapToken y"]),
        (#"{"token":{"token":"deep"}}"#, ["token.token deep"]),
        ("no JSON", []), (#"{"name":"token"}"#, []),
    ])
    func findsThemInAnyMessage(text: String, found: [String]) {
        #expect(ReceivedSecret.find(in: Array(text.utf8)).map { "\($0.field) \($0.text)" } == found)
    }
}
