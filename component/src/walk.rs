//! The interface `walk`.

use std::cell::RefCell;

use serde_json::Value as Json;
use smithy_waiters::paginator::{
    PageSize, PaginationError, Paginator, Paging, RepeatedToken, WalkStep,
};

use crate::Engine;
use crate::convert::{self, Error};
use crate::wit::walk as wit;

impl wit::Guest for Engine {
    type Paginator = PaginatorResource;
    type Walk = WalkResource;
}

pub(crate) struct PaginatorResource(Paginator);

pub(crate) struct WalkResource(RefCell<smithy_waiters::paginator::Walk>);

impl wit::GuestPaginator for PaginatorResource {
    fn from_definition(definition: String) -> Result<wit::Paginator, Error> {
        Ok(wit::Paginator::new(Self(Paginator::from_json(
            &definition,
        )?)))
    }

    fn from_model(
        model: String,
        operation: String,
        service: Option<String>,
    ) -> Result<wit::Paginator, Error> {
        let paginator = Paginator::from_model(&model, &operation, service.as_deref())?;
        Ok(wit::Paginator::new(Self(paginator)))
    }

    fn input_token(&self) -> String {
        self.0.input_token().to_owned()
    }

    fn page_size(&self) -> Option<String> {
        self.0.page_size().map(ToOwned::to_owned)
    }

    fn size(&self, size: String) -> Result<Option<String>, Error> {
        let size = self.0.size(&convert::json(&size)?)?;
        Ok(size.map(|size| match size {
            PageSize::Integer(size) => size.to_string(),
            PageSize::String(size) => Json::from(size).to_string(),
        }))
    }

    fn items(&self, page: String) -> Result<Option<String>, Error> {
        let page = convert::json(&page)?;
        let items = self.0.items(&page);
        let items = items.map_err(|error| Error::Value(error.to_string()))?;
        Ok(items.map(ToString::to_string))
    }

    fn walk(&self, paging: wit::Paging) -> wit::Walk {
        let mut options = Paging::default();
        if let Some(repeated) = paging.repeated_token {
            options = options.repeated_token(match repeated {
                wit::RepeatedToken::Continue => RepeatedToken::Continue,
                wit::RepeatedToken::Error => RepeatedToken::Error,
                wit::RepeatedToken::Stop => RepeatedToken::Stop,
            });
        }
        if let Some(stop) = paging.stop_when_not_truncated {
            options = options.stop_when_not_truncated(stop);
        }
        wit::Walk::new(WalkResource(RefCell::new(self.0.walk(options))))
    }
}

impl wit::GuestWalk for WalkResource {
    fn begin(
        &self,
        start_token: Option<String>,
        input: Option<String>,
    ) -> Result<wit::Step, Error> {
        let token = convert::optional_json(start_token)?;
        let input = convert::optional_json(input)?;
        let mut walk = self.0.borrow_mut();
        Ok(step(walk.begin(token.as_ref(), input.as_ref())?))
    }

    fn handle(&self, page: String) -> Result<Result<wit::Step, wit::PaginationError>, Error> {
        let page = convert::json(&page)?;
        let result = self.0.borrow_mut().handle(&page);
        Ok(result.map(step).map_err(pagination_error))
    }
}

fn step(step: WalkStep<&Json>) -> wit::Step {
    match step {
        WalkStep::Call { page, token } => wit::Step::Call(wit::CallStep {
            page,
            token: token.map(ToString::to_string),
        }),
        WalkStep::Done => wit::Step::Done,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of `map_err`")]
fn pagination_error(error: PaginationError) -> wit::PaginationError {
    wit::PaginationError {
        code: error.code().to_owned(),
        message: error.to_string(),
    }
}
