import Pairing
import Testing

/// The reasons why requests have no answer stand in sentences of others.
@Suite struct CallProblemTests {
    /// A gateway ends its own sentences with a full stop, after which that of the message would be another one.
    @Test(arguments: [("it refuses: not paired.", "it refuses: not paired"), ("it is away", "it is away"), ("", "")])
    func noFullStopIsAtTheEnd(_ text: String, _ expected: String) {
        #expect(CallProblem(text).description == expected)
    }
}
