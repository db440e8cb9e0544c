//! A client for `model/names.smithy` with the interface that smithy-rs generates. Published clients lack such names.

pub use aws_sdk_dynamodb::{config, error};

/// The client.
#[derive(Clone, Debug, Default)]
pub struct Client;

/// Defines operations: `call module { Builder, Input, Output, Error; setters; fields }`.
macro_rules! operations {
    ($(
        $(#[$mark:meta])?
        $call:ident {
            $request:ident, $builder:ident, $input:ident, $output:ident, $error:ident;
            { $($(#[$old_setter:meta])? $setter:ident: $value:ty,)* }
            { $($(#[$old_field:meta])? $field:ident: $held:ty,)* }
        }
    )*) => {
        impl Client {
            $($(#[$mark])? pub fn $call(&self) -> operation::$call::builders::$request {
                Default::default()
            })*
        }
        pub mod operation {$(
            pub mod $call {
                pub type $error = aws_sdk_dynamodb::operation::describe_table::DescribeTableError;
                #[derive(Clone, Debug, Default)]
                pub struct $input {
                    $($(#[$old_setter])? pub $setter: Option<$value>,)*
                }
                #[derive(Clone, Debug, Default)]
                pub struct $output {
                    $($(#[$old_field])? pub $field: Option<$held>,)*
                }
                pub mod builders {
                    use super::super::super::{config, error};
                    #[derive(Clone, Debug, Default)]
                    pub struct $builder {
                        input: super::$input,
                    }
                    impl $builder {
                        $($(#[$old_setter])? pub fn $setter(mut self, value: impl Into<$value>) -> Self {
                            self.input.$setter = Some(value.into());
                            self
                        })*
                        pub fn build(self) -> Result<super::$input, error::BuildError> {
                            Ok(self.input)
                        }
                    }
                    $(#[$mark])?
                    #[derive(Clone, Debug, Default)]
                    pub struct $request {
                        inner: $builder,
                    }
                    impl $request {
                        $($(#[$old_setter])? pub fn $setter(mut self, value: impl Into<$value>) -> Self {
                            self.inner = self.inner.$setter(value);
                            self
                        })*
                        pub fn as_input(&self) -> &$builder {
                            &self.inner
                        }
                        pub fn set_token(self, _: Option<String>) -> Self {
                            self
                        }
                        pub fn customize(self) -> Self {
                            self
                        }
                        pub fn config_override(self, _: config::Builder) -> Self {
                            self
                        }
                        pub fn mutate_request(self, _: impl Fn(&mut config::http::HttpRequest)) -> Self {
                            self
                        }
                        pub async fn send(self) -> Result<super::$output, error::SdkError<super::$error>> {
                            Ok(super::$output::default())
                        }
                    }
                }
            }
        )*}
    };
}

operations! {
    #[deprecated(note = "use `GetThing`")]
    describe_old {
        DescribeOldFluentBuilder, DescribeOldInputBuilder, DescribeOldInput, DescribeOldOutput, DescribeOldError;
        { name: String, }
        { state: String, }
    }
    get_thing {
        GetThingFluentBuilder, GetThingInputBuilder, GetThingInput, GetThingOutput, GetThingError;
        {
            clone: String,
            customize_value: String,
            default_value: String,
            eq: String,
            fmt: String,
            r#gen: String,
            into: String,
            #[deprecated] old: String,
            oldest: crate::sdk::types::Old,
            request: String,
            self_: String,
            r#type: String,
            wait: String,
            wait_on: String,
        }
        {
            default_value: String,
            #[deprecated] old: String,
            self_: String,
            send_value: String,
            state: String,
        }
    }
    #[deprecated]
    list_old {
        ListOldFluentBuilder, ListOldInputBuilder, ListOldInput, ListOldOutput, ListOldError;
        {}
        { #[deprecated] token: String, }
    }
    list_things {
        ListThingsFluentBuilder, ListThingsInputBuilder, ListThingsInput, ListThingsOutput, ListThingsError;
        {}
        { token: String, }
    }
    wait_until_gone {
        WaitUntilGoneFluentBuilder, WaitUntilGoneInputBuilder, WaitUntilGoneInput, WaitUntilGoneOutput, WaitUntilGoneError;
        {}
        {}
    }
}

pub mod types {
    #[deprecated]
    #[derive(Clone, Debug, Default)]
    pub struct Old {}
}
