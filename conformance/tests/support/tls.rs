//! A certificate for 127.0.0.1 that nobody has signed.

use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Who shows the certificate, and the certificate as PEM.
pub(crate) fn certified() -> (TlsAcceptor, String) {
    // An error says that it was installed before.
    let _ = ring::default_provider().install_default();
    let certified = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(certified.signing_key.serialize_der().into());
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certified.cert.der().clone()], key).expect("a key that fits");
    (TlsAcceptor::from(Arc::new(config)), certified.cert.pem())
}
