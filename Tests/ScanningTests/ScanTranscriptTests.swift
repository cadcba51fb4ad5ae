import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x2664_D0C1_3A77_79BF),
        (1, 0x189_E960_5743_8619),
        (2, 0xD085_FD49_5409_360C),
        (3, 0xA828_1482_9E76_19B1),
        (4, 0x4018_F3C8_9012_7471),
        (5, 0xB262_235A_4757_1930),
        (6, 0xCE87_9973_0AE7_B8C7),
        (7, 0xB5E0_5FE5_149F_91D7),
        (8, 0x5F07_5634_55F4_5483),
        (9, 0xA73A_0840_952C_7132),
        (10, 0xD2BC_E5A5_6A11_66A3),
        (11, 0x6F34_AAE5_04CC_7DD7),
        (12, 0xAAF0_84ED_76FB_5A9B),
        (13, 0xBD5E_7CDC_6679_27D4),
        (14, 0x4A8E_7A84_0CAE_92B5),
        (15, 0xE383_FDCD_52B2_5BDA),
        (16, 0x8B7_6C29_4633_912F),
        (17, 0xE1FB_AD7C_0BC8_AFAC),
        (18, 0xF04C_74E2_AF07_D22B),
        (19, 0x4029_9822_6CE0_6500),
        (20, 0x98CA_BA53_179B_65D7),
        (21, 0x3C73_52C7_D229_4349),
        (22, 0xDBD_6C77_AD7F_9F80),
        (23, 0x724D_C833_680C_C082),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
