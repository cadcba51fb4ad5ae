import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x5D7C_3278_2FEB_863B), (1, 0x2DD0_774D_3D95_5636), (2, 0xCE2E_55A1_D7F1_3E55),
        (3, 0x85D6_FDA5_A2E1_85BE), (4, 0x489F_2B97_CCBA_AF7D), (5, 0x2727_A822_5D2A_E839),
        (6, 0xF199_CBE4_2A19_C961), (7, 0x8E2F_676A_7A90_8700), (8, 0xDD48_CEE7_D299_F5A4),
        (9, 0xD6D3_D583_CC9E_5E17), (10, 0x7A7E_C129_44F0_C881), (11, 0x0E6E_2C9C_8C29_7942),
        (12, 0x1FF0_D20A_7947_6DD5), (13, 0xAD4E_0B7C_4157_9FDB), (14, 0xCAE2_0E9D_CD20_4E28),
        (15, 0x7BD6_8E37_D2F3_67B6), (16, 0xBFCA_0071_D2B4_FCAF), (17, 0xAD20_9B13_8828_31FF),
        (18, 0xBB98_6940_6CF3_0C14), (19, 0x3931_7CA7_447B_F738), (20, 0x1FDB_2188_15FF_CE99),
        (21, 0x2C20_664C_1AC4_F61D), (22, 0x2A84_28C1_F485_CABD), (23, 0x0128_C6BB_C749_C704),
        (24, 0x5F43_81ED_C7CF_776E), (25, 0xA764_70C3_D2C7_0E75), (26, 0xCA1B_5832_A616_0B69),
        (27, 0x791A_8166_F006_B044), (28, 0x0986_F35F_13BF_5BE2), (29, 0x5852_E993_6052_8394),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
