package org.droidtest.toolbox.cipher

import org.bouncycastle.crypto.Digest
import org.bouncycastle.crypto.digests.Blake2bDigest
import org.bouncycastle.crypto.digests.KeccakDigest
import org.bouncycastle.crypto.digests.RIPEMD160Digest
import org.bouncycastle.crypto.digests.SHA256Digest
import org.bouncycastle.crypto.digests.SHA3Digest
import org.bouncycastle.crypto.digests.WhirlpoolDigest
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters
import org.bouncycastle.crypto.signers.Ed25519Signer
import org.bouncycastle.util.encoders.Hex

/** Digests and signatures of texts. */
object Digests {
    fun all(text: String): List<String> = listOf(
        SHA256Digest(), SHA3Digest(256), KeccakDigest(256), Blake2bDigest(256), RIPEMD160Digest(), WhirlpoolDigest(),
    ).map { "${it.algorithmName} ${hex(it, text)}" }

    private fun hex(digest: Digest, text: String): String {
        val bytes = text.toByteArray()
        digest.update(bytes, 0, bytes.size)
        val out = ByteArray(digest.digestSize)
        digest.doFinal(out, 0)
        return Hex.toHexString(out).take(16)
    }

    fun signature(text: String): List<String> {
        val key = Ed25519PrivateKeyParameters(ByteArray(32) { it.toByte() }, 0)
        val bytes = text.toByteArray()
        val signer = Ed25519Signer()
        signer.init(true, key)
        signer.update(bytes, 0, bytes.size)
        val signature = signer.generateSignature()
        signer.init(false, key.generatePublicKey())
        signer.update(bytes, 0, bytes.size)
        return listOf(Hex.toHexString(signature), "verified: ${signer.verifySignature(signature)}")
    }
}
