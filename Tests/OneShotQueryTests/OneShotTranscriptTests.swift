import Testing

/// Protects what the query does, from beginning to end, against what is only meant to move or rename something.
@Suite struct OneShotTranscriptTests {
    /// Courses of random events, by their seeds, and what the query did in each when it was last meant to change.
    ///
    /// Left out are seeds where it depends on the order of a dictionary's elements, as who is asked for first where
    /// not all can be.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xF995_CBE0_5A9C_C8E5), (1, 0x748_579C_7C67_A8A2), (2, 0x2934_5C8A_ADA9_E936), (3, 0x73AA_576E_14E4_1565),
        (5, 0xA766_D7F3_D424_07D7), (6, 0x238D_5B37_2D8B_9090), (7, 0x6EB5_192D_ADF6_D086), (9, 0xE70D_D9F5_F44B_7460),
        (10, 0x1E18_DECC_A8D7_415F), (11, 0x45F6_63B5_B75E_E040), (12, 0xDE30_34D9_3AE4_3BB2),
        (13, 0x4764_AFAA_FCE9_491F),
        (14, 0x98D7_E412_EFC1_7829), (15, 0xA84F_F14C_8EDF_05A0), (16, 0x51B9_992B_A538_3B83),
        (17, 0x3D6F_4202_AAD9_2398),
        (18, 0x74D1_F8F6_592B_181F), (19, 0xF20B_7CD7_B573_E69F), (20, 0x912B_C570_60FB_B2BD),
        (21, 0x5614_42F6_C8A1_B8E4),
        (22, 0x5494_C91D_6960_7018), (23, 0x3E9F_F6D4_32EC_5A28), (24, 0x6BA0_9616_8F2A_74F8),
        (25, 0x79A2_5C83_C0A0_7669),
        (26, 0x564C_7783_186F_A6C1), (27, 0xFE8E_295D_0D19_881D), (28, 0xADA1_27C0_9C33_4930),
        (29, 0x75B2_5899_2BE3_E595),
        (30, 0x7D76_E992_AA25_C333), (31, 0xB72A_FA5B_D695_AEDD), (32, 0x3496_567A_A2DD_B126),
        (33, 0xC70_9AC5_6B45_A612),
        (34, 0xDB85_9EEC_0805_6139), (35, 0x264E_2481_3116_0238), (37, 0xE5B7_21DE_F89B_0AB4),
        (38, 0x4D9C_4E0F_7E89_D41D),
        (39, 0x57B_874F_02BF_5D89), (40, 0x7B55_421E_6CF8_75C6), (41, 0x8940_9928_30AE_6D13),
        (42, 0xB9CD_EB7C_6489_279E),
    ]

    @Test func theQueryDoesWhatItDid() throws {
        for (seed, digest) in Self.digests {
            let transcript = try OneShotTranscript(seed: seed)
            let found = transcript.digest
            #expect(found == digest, "seed \(seed): 0x\(String(found, radix: 16, uppercase: true))")
        }
    }
}
