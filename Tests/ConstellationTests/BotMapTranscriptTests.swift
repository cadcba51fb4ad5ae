import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xC839_A4C5_BF3F_2952), (1, 0x5AA5_8562_B154_8AEA), (2, 0x29D5_A1B2_73EC_809A),
        (3, 0xB6BD_45C9_8BFD_D01D), (4, 0x8E3D_165B_B774_AD40), (5, 0x4E48_8D69_3915_DD91),
        (6, 0xE977_E1AF_E846_72E4), (7, 0x94FF_F72E_A216_897A), (8, 0x6C5D_A5D5_9CD7_154F),
        (9, 0xC2CD_D7F8_D8BA_709D), (10, 0xBE60_E679_FE70_3984), (11, 0x1D22_93C8_6320_5D58),
        (12, 0x1491_8493_1BC4_18BC), (13, 0xFFC4_C817_EFD7_65A7), (14, 0x6933_620B_7AC2_2ABC),
        (15, 0x6A72_4E83_4B74_A0AF), (16, 0xC976_62FA_05D0_2B6A), (17, 0x58A1_875E_D72D_695B),
        (18, 0x24DA_A130_035D_F64C), (19, 0x5A97_9C7E_9153_BC2A), (20, 0x5B0A_7450_85A3_14B8),
        (21, 0x4869_175F_E0A7_51D0), (22, 0xED7E_33FF_FDCC_C177), (23, 0xAA07_B5D9_8728_BBA4),
        (24, 0xCB8B_8589_910E_EF85), (25, 0xBC45_BBD1_C202_33E9), (26, 0x46E6_FFA4_C3C4_4CAD),
        (27, 0xD51C_67D0_2D47_5964), (28, 0xDFA6_21FF_0A45_B380), (29, 0x59FE_24A5_CEE0_4FFE),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
