import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xEC6A_7B58_337B_3E01), (1, 0xADEC_4304_A202_99D8), (2, 0x6942_7851_FC94_17BE),
        (3, 0x86D7_7AC7_9BEB_D158), (4, 0xE372_6772_A249_9D03), (5, 0xB81D_D442_BCA3_4F94),
        (6, 0x991E_CAAF_D191_D08B), (7, 0x0BA1_3C4F_FF46_B6C9), (8, 0xC9DB_2F40_FE48_D18B),
        (9, 0x58FD_BE21_EADA_B8CD), (10, 0x6E5B_AA0B_5E12_77C8), (11, 0xECA4_35AA_017B_7B9C),
        (12, 0x9714_DA5C_8830_E157), (13, 0x8F9C_B39E_2A05_FFEF), (14, 0xB6FD_E872_203E_528E),
        (15, 0x2CAC_4D2E_998E_83D4), (16, 0x0E80_A67A_B3AA_4BEB), (17, 0x31D0_A989_2140_DD70),
        (18, 0x1011_2064_F36D_BF66), (19, 0x771B_A0F3_FC68_870E), (20, 0x7D1B_2923_6209_FCB9),
        (21, 0xF536_45EE_6627_F58F), (22, 0x6524_C510_D40A_950B), (23, 0xD66E_B5EC_1D06_E7D3),
        (24, 0x350A_3223_A6FC_8D7E), (25, 0x7FB2_1178_E3BE_C60B), (26, 0xAE95_6A45_6F95_D64B),
        (27, 0x1C3A_5291_6CE0_F7EE), (28, 0x5D93_B963_B6F6_B9A5), (29, 0x369C_546E_5947_0974),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
