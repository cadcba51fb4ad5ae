import TestSupport
import Testing

/// Protects what the responder sends and reports, from beginning to end, against what is only meant to move, rename or hasten
/// something.
@Suite struct ResponderTranscriptTests {
    /// Courses of random events, by their seeds, and what the responder did in each when it was last meant to change.
    ///
    /// Left out are seeds where it depends on the order of a dictionary's elements.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x8797_3150_6C3B_4B80), (1, 0x587F_E622_3E31_A9D6), (3, 0xF484_F956_607C_EC38),
        (5, 0x087E_F027_1A5B_F1A5), (7, 0xA811_5C22_DA42_E5D6), (10, 0x1C67_22F3_4E3C_8BC5),
        (11, 0x8C41_A12D_DBD9_B159), (12, 0x131A_38E5_3D56_CFD4), (13, 0xC858_280A_8C85_2695),
        (14, 0xB209_624B_4CEC_7B7C), (15, 0x9C92_55DE_049F_A7F4), (17, 0x4BD6_27E6_38A0_C1C1),
        (19, 0x9874_B2C7_7556_70F8), (20, 0xB7FC_8074_9E7F_7D24), (23, 0xD092_7D44_F349_41D2),
        (24, 0x011D_0DE1_7089_82E2), (26, 0xB90C_D3EE_E1DB_9A4F), (28, 0xDC7B_C148_9BA1_BC9A),
        (30, 0xB504_6E83_3109_0D08), (32, 0x0CF3_20AE_DC93_8A96), (33, 0x41B6_BE35_9909_7EF4),
        (34, 0x8356_CA2B_548E_20C2), (37, 0x2285_8D2F_9AB1_FE00), (38, 0x592E_8A93_EB6C_5B1F),
    ]

    @Test func theResponderDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "responder") {
            try ResponderTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
