import Reports
import Testing

/// No user name or password that was typed by mistake is shown.
@Suite struct RedactionTests {
    /// User names and passwords before an @ are removed from any text that is shown.
    @Test(arguments: [
        ("me:hunter2@studio:18789", "…@studio:18789"), ("ws://me:hunter2@studio:1", "ws://…@studio:1"),
        ("The value 'me:hunter2@studio:1' is invalid", "The value '…@studio:1' is invalid"),
        ("found “WSS://me:hunter2@studio”.", "found “WSS://…@studio”."), ("a@b@studio and c@d", "…@studio and …@d"),
        ("ws://me:hunter/2@studio:1", "ws://…@studio:1"), ("me:hunter2@\u{301}studio", "…@\u{301}studio"),
        ("wss://studio.local:18789/ and more", nil), ("", nil),
    ])
    func secretsAreRedacted(text: String, redacted: String?) {
        #expect(Redaction.text(text) == redacted ?? text)
    }

    /// In a text that is known to be an address, everything before the last @ is removed, even if it contains spaces.
    @Test(arguments: [
        ("me:my secret@studio:1", "…@studio:1"), ("ws://me:my secret@studio:1", "ws://…@studio:1"),
        ("studio:1", "studio:1"), ("me:my secret@\u{301}", "…@\u{301}"), ("@", "…@"), ("ws://@", "ws://…@"),
    ])
    func theSecretOfAnAddressIsRedacted(text: String, redacted: String) {
        #expect(Redaction.address(text) == redacted)
    }
}
