import TestSupport
import Testing

/// A protection of the whole behaviour of ``BotMap`` against changes that are only meant to move code, to rename
/// something, or to make it faster.
@Suite struct BotMapTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x9BCB_AE54_C8EF_8584), (1, 0x8ADB_494E_EE91_7706), (2, 0xA3EC_3F11_D9FB_6838),
        (3, 0xEC12_0619_CE34_2E27), (4, 0x785B_2CF9_512A_78F5), (5, 0x765B_195B_6F12_944A),
        (6, 0x3955_FA63_951D_E97E), (7, 0xCDD0_B0A1_FF98_FEC1), (8, 0x6C5D_A5D5_9CD7_154F),
        (9, 0xC2CD_D7F8_D8BA_709D), (10, 0x1540_8A8C_DA08_12BA), (11, 0xF8EF_553F_5758_4FAB),
        (12, 0x42D6_D66B_A2BA_9FBA), (13, 0x51D_D0E7_8753_5008), (14, 0x4E60_4EF7_C5ED_B4C8),
        (15, 0x597B_F36B_79B2_3EAA), (16, 0x53C8_4723_756D_E8CF), (17, 0xF599_704F_6411_7703),
        (18, 0xDA8_5A20_5765_AAE9), (19, 0xD35F_F483_51B3_D7DA), (20, 0xC7EB_C2D2_B7F7_ECD7),
        (21, 0x4869_175F_E0A7_51D0), (22, 0x4621_14CA_7DFB_0CFD), (23, 0xB282_3F01_0911_E8EB),
        (24, 0x46C4_C1C4_E760_FAC7), (25, 0xF4E2_753A_EA04_4D0C), (26, 0xBE05_1CBB_274D_FB4F),
        (27, 0x3EF3_2DB4_4544_D9F6), (28, 0x4570_9232_6C24_AC0A), (29, 0x7F46_3793_E11E_C18C),
    ]

    @Test func theMapDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "bot-map") {
            BotMapTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
