import TestSupport
import Testing

/// Protection of everything that the querier asks and reports against changes that are only meant to move, rename or
/// speed up code.
@Suite struct QuerierTranscriptTests {
    /// The seeds of random sequences of events, and the digest of each transcript at the last intended change of
    /// behaviour.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x6F1E464A42011F24), (1, 0x8062C493522A7562), (2, 0xF34235F1E3B6CD13),
        (3, 0xA2814F8DA6416F01), (4, 0x17589333967267F4), (5, 0x2D75486A4B51F2E3),
        (6, 0xAE8E1C3684CA7CF2), (7, 0x400469A9343F1C66), (8, 0x9EA197F6607114A3),
        (9, 0x77FDE6ACB1C30E19), (10, 0xF1863EB4D7033E74), (11, 0x824FAD353377681F),
        (12, 0x32373896A888A001), (13, 0x511D0F424998C139), (14, 0x52B49AD16F886A9B),
        (15, 0xE9ADFA771838CB90), (16, 0x31E57BE28455C772), (17, 0xE10F826AB18069F5),
        (18, 0x914507C44A669152), (19, 0x80C137F6BDB088FE), (20, 0xC5A9725D3DE1A5A1),
        (21, 0x3AD4DDAE973B9E5B), (22, 0xE4DA35E191663832), (23, 0x41C51C2336CE1C04),
        (24, 0x79F3708CBAAF4BC7), (25, 0x86176D24D022854E), (26, 0xBA26F7B90E045131),
        (27, 0x4EB802C773BF8E7), (28, 0x7098838E8361752F), (29, 0x87ABCB50C337A416),
        (30, 0x19F0B20C1FF44069), (31, 0x88909012FA2AA7F1), (32, 0x751D75F23786E34C),
        (33, 0x6BBB7886497630AF), (34, 0x2E7469F2F6B5F966), (35, 0xD2E87CEEC38EAF51),
        (36, 0xBEDBA898C255A96B), (37, 0xA46200B4F7719B5D), (38, 0x9F759534D322A886),
        (39, 0x83B4C4F1F8CDBCA2),
    ]

    @Test func theQuerierDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "querier") {
            try QuerierTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
