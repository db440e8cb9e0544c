//! [`Response`] for scalars, pointers and options.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::Value as Json;

use super::view::{Response, View};

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl Response for $number {
            fn view(&self) -> View<'_> {
                View::Number(f64::from(*self))
            }
        }
    )+};
}

numbers!(f32, f64);

macro_rules! integers {
    ($($integer:ty),+) => {$(
        impl Response for $integer {
            fn view(&self) -> View<'_> {
                i128::try_from(*self).map_or(View::Number(*self as f64), View::Integer)
            }
        }
    )+};
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<T: Response + ?Sized> Response for $pointer {
            fn view(&self) -> View<'_> {
                (**self).view()
            }
        }
    )+};
}

pointers!(&T, &mut T, Arc<T>, Box<T>, Rc<T>);

impl Response for Json {
    fn view(&self) -> View<'_> {
        View::Json(self)
    }
}

impl Response for bool {
    fn view(&self) -> View<'_> {
        View::Boolean(*self)
    }
}

impl Response for str {
    fn view(&self) -> View<'_> {
        self.into()
    }
}

impl Response for String {
    fn view(&self) -> View<'_> {
        self.as_str().into()
    }
}

impl<T: Response + ToOwned + ?Sized> Response for Cow<'_, T> {
    fn view(&self) -> View<'_> {
        (**self).view()
    }
}

/// A null response, for operations without output.
impl Response for () {
    fn view(&self) -> View<'_> {
        View::Null
    }
}

/// A member that is not set is null.
impl<T: Response> Response for Option<T> {
    fn view(&self) -> View<'_> {
        self.as_ref().map_or(View::Null, T::view)
    }
}

/// A timestamp, as epoch seconds with a fraction. See docs/rules.md#host-values.
impl Response for SystemTime {
    fn view(&self) -> View<'_> {
        View::Number(match self.duration_since(Self::UNIX_EPOCH) {
            Ok(since) => since.as_secs_f64(),
            Err(before) => -before.duration().as_secs_f64(),
        })
    }
}

/// Bytes that are a blob of the model, which is a base64 string in the data model.
///
/// The [`Response`] of a `Vec<u8>` is an array of numbers. The attribute `#[waiter(blob)]` or [`View::blob`] makes it a
/// blob.
///
/// # Example: a blob of a derived response
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use smithy_waiters::Response;
///
/// #[derive(Response)]
/// struct Output {
///     #[waiter(blob)]
///     body: Option<Vec<u8>>,
/// }
///
/// let output = Output { body: Some(b"abc".to_vec()) };
/// assert_eq!(format!("{:?}", output.view()), r#"{"body":"YWJj"}"#);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a blob",
    note = "blobs are `Vec<u8>`, `[u8]`, `[u8; N]`, and pointers to and options of them"
)]
pub trait Blob {
    /// Returns the bytes, or `None` if the member is not set.
    fn bytes(&self) -> Option<&[u8]>;
}

impl Blob for [u8] {
    fn bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl Blob for Vec<u8> {
    fn bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<const N: usize> Blob for [u8; N] {
    fn bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<T: Blob> Blob for Option<T> {
    fn bytes(&self) -> Option<&[u8]> {
        self.as_ref()?.bytes()
    }
}

macro_rules! blob_pointers {
    ($($pointer:ty),+) => {$(
        impl<T: Blob + ?Sized> Blob for $pointer {
            fn bytes(&self) -> Option<&[u8]> {
                (**self).bytes()
            }
        }
    )+};
}

blob_pointers!(&T, Arc<T>, Box<T>);

impl<T: Blob + ToOwned + ?Sized> Blob for Cow<'_, T> {
    fn bytes(&self) -> Option<&[u8]> {
        (**self).bytes()
    }
}

impl<'a> View<'a> {
    /// Creates a view of a blob, which is a base64 string in the data model.
    pub fn blob(blob: &'a (impl Blob + ?Sized)) -> Self {
        blob.bytes().map_or(Self::Null, Self::Blob)
    }
}
